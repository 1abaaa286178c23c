#include "litmus_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace heddle::litmus {
namespace {

std::vector<std::string> Split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  if (!text.empty() && text.back() == at) parts.emplace_back();
  return parts;
}

std::vector<std::string> Words(const std::string& text) {
  std::stringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

const std::map<std::string, Order>& Orders() {
  static const std::map<std::string, Order> orders = {
      {"na", Order::kPlain},    {"rlx", Order::kRelaxed}, {"acq", Order::kAcquire},
      {"rel", Order::kRelease}, {"ar", Order::kAcqRel},   {"sc", Order::kSeqCst}};
  return orders;
}

Order ParseOrder(const std::string& word) { return Orders().at(word); }

std::string ToText(Order order) {
  for (const auto& [name, value] : Orders())
    if (value == order) return name;
  throw std::logic_error("an order without a name");
}

const std::map<std::string, Use>& Uses() {
  static const std::map<std::string, Use> uses = {
      {"lock", Use::kLock},         {"try", Use::kTryLock},       {"unlock", Use::kUnlock},
      {"rdlock", Use::kReadLock},   {"tryrd", Use::kTryReadLock}, {"wrlock", Use::kWriteLock},
      {"rwunlock", Use::kRwUnlock}, {"wait", Use::kWait},         {"trywait", Use::kTryWait},
      {"post", Use::kPost}};
  return uses;
}

std::string ToText(Use use) {
  for (const auto& [name, value] : Uses())
    if (value == use) return name;
  throw std::logic_error("a use without a name");
}

using Numbers = std::map<char, int>;

Numbers InAlphabeticalOrder(const std::set<char>& letters) {
  Numbers numbers;
  for (const char letter : letters) numbers.emplace(letter, static_cast<int>(numbers.size()));
  return numbers;
}

// "a+1", with the letters of registers added to `letters`.
void FindRegisters(const std::string& word, std::set<char>& letters) {
  if (std::isalpha(word.at(0))) letters.insert(word[0]);
}

Operand ParseOperand(const std::string& word, const Numbers& registers) {
  Operand operand;
  std::string constant = word;
  if (std::isalpha(word.at(0))) {
    operand.reg = registers.at(word[0]);
    constant = word.substr(1);
  }
  if (!constant.empty()) operand.constant = std::stoi(constant);
  return operand;
}

// The words of one instruction, and what precedes it.
struct Line {
  std::vector<std::string> conditions;  // "a", "a=2,3"
  std::vector<std::string> words;
};

Line ParseLine(const std::string& text) {
  Line line;
  for (const std::string& word : Words(text)) {
    if (word[0] == '?')
      line.conditions.push_back(word.substr(1));
    else
      line.words.push_back(word);
  }
  return line;
}

void FindLetters(const Line& line, std::set<char>& locations, std::set<char>& objects,
                 std::set<char>& registers) {
  for (const std::string& condition : line.conditions) registers.insert(condition.at(0));
  const std::vector<std::string>& words = line.words;
  if (words.empty() || words[0] == "F") return;
  if (const auto use = Uses().find(words[0]); use != Uses().end()) {
    objects.insert(words.at(1).at(0));
    if (Tries(use->second)) registers.insert(words.at(2).at(0));
    return;
  }
  locations.insert(words.at(1).at(0));
  // What is neither the location nor one of the orders at the end.
  const size_t orders = words[0] == "C" ? 2 : 1;
  for (size_t i = 2; i + orders < words.size(); ++i) FindRegisters(words[i], registers);
}

Instruction ParseCondition(const std::string& text, const Numbers& registers) {
  Instruction skip;
  skip.kind = Kind::kSkipIf;
  skip.condition = registers.at(text.at(0));
  skip.skip = 1;
  if (text.size() > 1) {
    const std::vector<std::string> numbers = Split(text.substr(2), ',');
    skip.equals = std::stoi(numbers.at(0));
    if (numbers.size() > 1) skip.skip = std::stoi(numbers[1]);
  }
  return skip;
}

Instruction ParseInstruction(const std::vector<std::string>& words, const Numbers& locations,
                             const Numbers& objects, const Numbers& registers) {
  Instruction made;
  if (const auto use = Uses().find(words.at(0)); use != Uses().end()) {
    made.kind = Kind::kUse;
    made.use = use->second;
    made.location = objects.at(words.at(1).at(0));
    if (Tries(made.use)) {
      made.result = registers.at(words.at(2).at(0));
      made.failure = ParseOrder(words.at(4));
    }
    made.order = ParseOrder(words.at(Tries(made.use) ? 3 : 2));
    return made;
  }
  const char kind = words.at(0).at(0);
  if (kind == 'F') {
    made.kind = Kind::kFence;
    made.order = ParseOrder(words.at(1));
    return made;
  }
  made.location = locations.at(words.at(1).at(0));
  made.order = ParseOrder(kind == 'C' ? words.at(5) : words.back());
  if (kind == 'W') {
    made.kind = Kind::kStore;
    made.value = ParseOperand(words.at(2), registers);
    return made;
  }
  made.result = registers.at(words.at(2).at(0));
  switch (kind) {
    case 'R':
      made.kind = Kind::kLoad;
      break;
    case 'X':
      made.kind = Kind::kExchange;
      made.value = ParseOperand(words.at(3), registers);
      break;
    case 'U':
      made.kind = Kind::kFetchAdd;
      made.value = words.size() > 4 ? ParseOperand(words[3], registers) : Operand{.constant = 1};
      break;
    case 'C':
      made.kind = Kind::kCompareExchange;
      made.expected = ParseOperand(words.at(3), registers);
      made.value = ParseOperand(words.at(4), registers);
      made.failure = ParseOrder(words.at(6));
      break;
    default:
      throw std::invalid_argument("no instruction: " + words[0]);
  }
  return made;
}

// Such that the alphabetical order is that of the numbers.
std::string LocationName(int location, int locations) {
  return std::string(1, static_cast<char>((locations <= 3 ? 'x' : 'z' + 1 - locations) + location));
}
std::string ObjectName(int object) { return std::string(1, static_cast<char>('m' + object)); }
std::string RegisterName(int reg) { return std::string(1, static_cast<char>('a' + reg)); }

std::string ToText(const Operand& operand) {
  if (operand.reg == kNoRegister) return std::to_string(operand.constant);
  std::string text = RegisterName(operand.reg);
  if (operand.constant > 0) text += '+';
  if (operand.constant != 0) text += std::to_string(operand.constant);
  return text;
}

std::string ToText(const Instruction& instruction, int locations) {
  const std::string place = " " + LocationName(instruction.location, locations) + " ";
  const std::string result = RegisterName(instruction.result) + " ";
  const std::string order = ToText(instruction.order);
  switch (instruction.kind) {
    case Kind::kLoad:
      return "R" + place + result + order;
    case Kind::kStore:
      return "W" + place + ToText(instruction.value) + " " + order;
    case Kind::kExchange:
      return "X" + place + result + ToText(instruction.value) + " " + order;
    case Kind::kFetchAdd:
      return "U" + place + result + ToText(instruction.value) + " " + order;
    case Kind::kCompareExchange:
      return "C" + place + result + ToText(instruction.expected) + " " + ToText(instruction.value) +
             " " + order + " " + ToText(instruction.failure);
    case Kind::kFence:
      return "F " + order;
    case Kind::kUse: {
      const std::string object = " " + ObjectName(instruction.location) + " ";
      if (!Tries(instruction.use)) return ToText(instruction.use) + object + order;
      return ToText(instruction.use) + object + result + order + " " + ToText(instruction.failure);
    }
    case Kind::kSkipIf:
      return "?" + RegisterName(instruction.condition) + "=" + std::to_string(instruction.equals) +
             "," + std::to_string(instruction.skip);
  }
  throw std::logic_error("no such instruction");
}

}  // namespace

Program ParseProgram(const std::string& text) {
  const std::vector<std::string> parts = Split(text, '@');
  const std::vector<std::string> halves = Split(parts.at(0), '#');
  const std::vector<std::string> observed =
      halves.size() > 1 ? Words(halves[1]) : std::vector<std::string>();
  std::vector<std::vector<Line>> threads;
  std::set<char> location_letters;
  std::set<char> object_letters;
  std::set<char> register_letters;
  for (const std::string& thread : Split(halves.at(0), '|')) {
    threads.emplace_back();
    for (const std::string& line : Split(thread, ';')) {
      threads.back().push_back(ParseLine(line));
      FindLetters(threads.back().back(), location_letters, object_letters, register_letters);
    }
  }
  for (const std::string& location : observed) location_letters.insert(location.at(0));
  const Numbers locations = InAlphabeticalOrder(location_letters);
  const Numbers objects = InAlphabeticalOrder(object_letters);
  const Numbers registers = InAlphabeticalOrder(register_letters);

  Program program;
  program.locations = static_cast<int>(locations.size());
  program.registers = static_cast<int>(registers.size());
  program.objects.resize(objects.size());
  if (parts.size() > 1) {
    const std::vector<std::string> levels = Words(parts[1]);
    for (size_t i = 0; i < levels.size() && i < objects.size(); ++i)
      program.objects[i] = std::stoi(levels[i]);
  }
  for (const std::vector<Line>& lines : threads) {
    Thread& thread = program.threads.emplace_back();
    for (const Line& line : lines) {
      for (const std::string& condition : line.conditions)
        thread.push_back(ParseCondition(condition, registers));
      if (!line.words.empty())
        thread.push_back(ParseInstruction(line.words, locations, objects, registers));
    }
  }
  for (const std::string& location : observed)
    program.observed_locations.push_back(locations.at(location[0]));
  return program;
}

std::string ToText(const Program& program) {
  std::string text;
  for (const Thread& thread : program.threads) {
    if (!text.empty()) text += " | ";
    std::string lines;
    bool behind_condition = true;  // no `;` between a condition and what it precedes
    for (const Instruction& instruction : thread) {
      lines += (behind_condition ? (lines.empty() ? "" : " ") : "; ") +
               ToText(instruction, program.locations);
      behind_condition = instruction.kind == Kind::kSkipIf;
    }
    text += lines;
  }
  if (!program.observed_locations.empty()) text += " #";
  for (const int location : program.observed_locations)
    text += " " + LocationName(location, program.locations);
  if (!program.objects.empty()) text += " @";
  for (const int level : program.objects) text += " " + std::to_string(level);
  return text;
}

std::string ToText(const Outcome& outcome) {
  const bool digits = std::all_of(outcome.begin(), outcome.end(),
                                  [](int value) { return value >= 0 && value < 10; });
  std::string text;
  for (const int value : outcome) {
    if (!digits && !text.empty()) text += ',';
    text += std::to_string(value);
  }
  return text;
}

std::vector<LitmusRow> ReadLitmusTable(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  std::vector<LitmusRow> rows;
  std::string line;
  std::getline(stream, line);  // the heads of the columns
  while (std::getline(stream, line)) {
    const std::vector<std::string> cells = Split(line, ',');
    LitmusRow& row = rows.emplace_back();
    row.name = cells.at(0);
    row.sc_executions = std::stoi(cells.at(2));
    row.tso_executions = std::stoi(cells.at(3));
    row.c11_executions = std::stoi(cells.at(4));
    row.c11_executions_old_release_sequences = std::stoi(cells.at(5));
    for (const std::string& outcome : Words(cells.at(6))) row.sc_outcomes.insert(outcome);
    row.tso_outcomes = row.c11_outcomes = row.sc_outcomes;
    for (const std::string& outcome : Words(cells.at(7))) row.tso_outcomes.insert(outcome);
    for (const std::string& outcome : Words(cells.at(8))) row.c11_outcomes.insert(outcome);
    row.c11_race = cells.at(9) == "yes";
    row.text = cells.at(10);
    row.program = ParseProgram(row.text);
  }
  return rows;
}

}  // namespace heddle::litmus
