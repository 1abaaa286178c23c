#include "assembly/rewrite.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "assembly/decode.h"
#include "assembly/surroundings.h"

namespace heddle::assembly {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string Lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return result;
}

// `text` with blanks for comments, so that every place stays where it is. Lines that begin with #
// stay: they may be line markers.
std::string WithoutComments(std::string_view text) {
  std::string clean(text);
  bool quoted = false, line_begins = true;
  for (size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    if (c == '\n') {
      line_begins = true;
      quoted = false;
      continue;
    }
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '#') {
      const size_t end = std::min(clean.find('\n', i), clean.size());
      if (!line_begins) std::fill(clean.begin() + i, clean.begin() + end, ' ');
      i = end - 1;
    } else if (c == '/' && i + 1 < clean.size() && clean[i + 1] == '*') {
      const size_t close = clean.find("*/", i + 2);
      const size_t end = close == std::string::npos ? clean.size() : close + 2;
      for (; i < end; ++i)
        if (clean[i] != '\n') clean[i] = ' ';
      --i;
      continue;
    }
    if (!IsBlank(c)) line_begins = false;
  }
  return clean;
}

bool IsLabelCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
}

// The label that `statement` begins with, without its colon; empty if there is none.
std::string_view LabelOf(std::string_view statement) {
  size_t end = 0;
  while (end < statement.size() && IsLabelCharacter(statement[end])) ++end;
  size_t colon = end;
  while (colon < statement.size() && IsBlank(statement[colon])) ++colon;
  if (end == 0 || colon == statement.size() || statement[colon] != ':') return {};
  return statement.substr(0, end);
}

bool IsAssignment(std::string_view statement) {
  size_t end = 0;
  while (end < statement.size() && IsLabelCharacter(statement[end])) ++end;
  while (end < statement.size() && IsBlank(statement[end])) ++end;
  return end < statement.size() && statement[end] == '=';
}

bool IsData(std::string_view directive) {
  static const std::set<std::string_view> kData = {
      ".byte",  ".2byte",  ".4byte",  ".8byte",   ".word",    ".short",  ".hword",   ".value",
      ".int",   ".long",   ".quad",   ".octa",    ".ascii",   ".asciz",  ".string",  ".insn",
      ".float", ".single", ".double", ".uleb128", ".sleb128", ".incbin", ".include", ".dc"};
  return kData.count(directive) != 0;
}

bool IsRepetition(std::string_view directive) {
  return directive == ".rept" || directive == ".irp" || directive == ".irpc";
}

// A line that the compiler, not the programmer, put among asm statements.
struct Marker {
  bool valid = false;
  unsigned line = 0;
  std::string file;
};

// `# 12 "a.c" 1`.
Marker ReadMarker(std::string_view line) {
  Marker marker;
  if (!line.starts_with("# ") || line.size() < 3 ||
      !std::isdigit(static_cast<unsigned char>(line[2])))
    return marker;
  const size_t open = line.find('"');
  const size_t close = line.rfind('"');
  if (open == std::string_view::npos || close == open) return marker;
  marker.valid = true;
  marker.line =
      static_cast<unsigned>(std::strtoul(std::string(line.substr(2)).c_str(), nullptr, 10));
  marker.file = line.substr(open + 1, close - open - 1);
  return marker;
}

// What has to follow a call of the compiler's, on its line.
std::string_view AfterCall(std::string_view line) {
  const std::string_view word = TakeWord(line);
  if (word != "call" && word != "callq") return {};
  if (line.starts_with("*") && line.find("@GOTPCREL(%rip)") == std::string_view::npos) return {};
  const std::string_view name = line.substr(line.starts_with("*") ? 1 : 0);
  constexpr std::string_view kTsan = "__tsan_";
  if (name.starts_with(kTsan)) {
    const bool answers = name.substr(kTsan.size()).starts_with("atomic") &&
                         name.find("_store") == std::string_view::npos;
    return answers ? "; call heddle_clear_but_result@PLT" : "; call heddle_clear_registers@PLT";
  }
  for (const std::string_view ours :
       {"pthread_", "sem_", "sched_yield", "usleep", "nanosleep", "thrd_", "mtx_", "cnd_"})
    if (name.starts_with(ours)) return "; call heddle_clear_but_result@PLT";
  return {};
}

// Does the instruction use the registers by which a frame is found, other than as an address?
bool MovesFrame(const Instruction& instruction) {
  const std::string& name = instruction.mnemonic;
  if (name.starts_with("push") || name.starts_with("pop")) return true;
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const Operand& operand) {
                       return operand.kind == OperandKind::kRegister &&
                              (operand.text == "rbp" || operand.text == "ebp" ||
                               operand.text == "rsp" || operand.text == "esp");
                     });
}

class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : text_(text) { around_.FindCalls(text); }

  Rewritten Run() {
    size_t at = 0;
    while (at < text_.size()) {
      const size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = Trim(text_.substr(at, end - at));
      at = std::min(end + 1, text_.size());
      if (OpensAsm(line)) {
        at = Region(at);
      } else if (line.starts_with(".")) {
        around_.Directive(line);
      } else if (const std::string_view after = AfterCall(line); !after.empty()) {
        const std::string_view code = line.substr(0, line.find('#'));
        const size_t code_end =
            static_cast<size_t>(line.data() - text_.data()) + code.find_last_not_of(" \t") + 1;
        result_.text += text_.substr(copied_, code_end - copied_);
        result_.text += after;
        copied_ = code_end;
      }
    }
    result_.text += text_.substr(copied_);
    return std::move(result_);
  }

 private:
  struct Insertion {
    size_t at;
    Instruction instruction;
    Decoded decoded;
  };

  // The asm statements from `begin` to the mark that closes them; answers where that stands.
  size_t Region(size_t begin) {
    size_t end = begin;
    while (end < text_.size()) {
      const size_t line_end = std::min(text_.find('\n', end), text_.size());
      if (ClosesAsm(Trim(text_.substr(end, line_end - end)))) break;
      end = std::min(line_end + 1, text_.size());
    }
    const std::string clean = WithoutComments(text_.substr(begin, end - begin));
    CollectLabels(clean);
    Open();
    size_t at = 0;
    while (at < clean.size()) {
      const size_t line_end = std::min(clean.find('\n', at), clean.size());
      const std::string_view line = Trim(std::string_view(clean).substr(at, line_end - at));
      if (line.starts_with("#")) {
        if (const Marker marker = ReadMarker(line); marker.valid) {
          Close();
          Open();
          if (marker.line != 0) place_ = {marker.file, marker.line};
        }
      } else {
        Line(clean, begin, at, line_end);
      }
      at = line_end + 1;
    }
    Close();
    return end;
  }

  void CollectLabels(std::string_view clean) {
    labels_.clear();
    size_t begin = 0;
    for (size_t i = 0; i <= clean.size(); ++i) {
      if (i < clean.size() && clean[i] != '\n' && clean[i] != ';') continue;
      std::string_view statement = Trim(clean.substr(begin, i - begin));
      for (std::string_view label; !(label = LabelOf(statement)).empty();) {
        labels_.emplace(label);
        statement = Trim(statement.substr(statement.find(':') + 1));
      }
      begin = i + 1;
    }
  }

  // One line of a statement: instructions and directives, separated by semicolons.
  void Line(const std::string& clean, size_t offset, size_t begin, size_t end) {
    bool quoted = false;
    size_t from = begin;
    for (size_t i = begin; i <= end; ++i) {
      if (i < end && clean[i] == '"' && (i == begin || clean[i - 1] != '\\')) quoted = !quoted;
      if (i < end && (clean[i] != ';' || quoted)) continue;
      Statement(std::string_view(clean).substr(from, i - from), offset + from);
      from = i + 1;
    }
  }

  void Open() {
    place_ = around_.Loc();
    insertions_.clear();
    prefixes_.clear();
    immovable_ = in_macro_ = moves_frame_ = false;
  }

  // The statement is complete: makes its insertions, unless something in it counts bytes.
  void Close() {
    if (!prefixes_.empty()) Note(Prefixes(), "a prefix without its instruction");
    if (!immovable_) {
      for (const Insertion& insertion : insertions_) {
        result_.text += text_.substr(copied_, insertion.at - copied_);
        result_.text += Call(insertion.instruction, insertion.decoded);
        copied_ = insertion.at;
        ++result_.calls;
      }
    }
    insertions_.clear();
    prefixes_.clear();
  }

  // `statement` stands at `at` of the text.
  void Statement(std::string_view statement, size_t at) {
    const auto skip = [&](size_t count) {
      statement.remove_prefix(count);
      at += count;
    };
    const auto skip_blanks = [&] {
      while (!statement.empty() && IsBlank(statement.front())) skip(1);
    };
    for (skip_blanks(); !LabelOf(statement).empty(); skip_blanks()) {
      if (!prefixes_.empty()) Note(Prefixes(), "a label between a prefix and its instruction");
      prefixes_.clear();
      skip(statement.find(':') + 1);
    }
    statement = Trim(statement);
    if (statement.empty()) return;
    if (statement.front() == '.') return Directive(statement);
    if (in_macro_ || IsAssignment(statement)) return;
    std::string_view rest = statement;
    std::string word = Lower(TakeWord(rest));
    while (IsPrefix(word)) {
      if (prefixes_.empty()) first_prefix_ = at;
      prefixes_.push_back(word);
      if (rest.empty()) return;  // its instruction is the next statement
      word = Lower(TakeWord(rest));
    }
    const size_t where = prefixes_.empty() ? at : first_prefix_;
    Instruction instruction{prefixes_, word, ReadOperands(rest)};
    prefixes_.clear();
    Take(instruction, statement, where);
  }

  void Directive(std::string_view statement) {
    std::string_view rest = statement;
    const std::string directive = Lower(TakeWord(rest));
    if (in_macro_) {
      if (directive == ".endm" || directive == ".endr") in_macro_ = false;
      return;
    }
    if (directive == ".macro" || IsRepetition(directive)) {
      in_macro_ = true;
      const std::string_view name = TakeWord(rest);
      if (directive == ".macro")
        macros_.emplace(Lower(name.substr(0, name.find(','))));
      else if (around_.InCode())
        Note(statement, "repeated by the assembler");
      return;
    }
    if (IsData(directive) && around_.InCode()) Note(statement, "code in numbers");
    if (directive == ".org" && around_.InCode()) immovable_ = true;
    around_.Directive(statement);
  }

  void Take(const Instruction& instruction, std::string_view statement, size_t where) {
    if (macros_.count(instruction.mnemonic) != 0) return Note(statement, "a macro");
    if (around_.IntelSyntax()) return TakeIntel(instruction, statement);
    if (DependsOnPlace(statement)) {
      immovable_ = true;
      return Note(statement,
                  "an address that counts the bytes of the statement, whose other "
                  "instructions are not seen either");
    }
    moves_frame_ |= MovesFrame(instruction);
    const Decoded decoded = Decode(instruction);
    switch (decoded.effect) {
      case Effect::kNothing:
        break;
      case Effect::kAccess:
        insertions_.push_back({where, instruction, decoded});
        break;
      case Effect::kJump:
        if (!StaysInside(instruction)) Note(statement, "a jump out of the statement");
        break;
      case Effect::kUnseen:
        Note(statement, decoded.why);
        break;
    }
  }

  // Not decoded; harmless is what has registers and numbers for operands.
  void TakeIntel(const Instruction& instruction, std::string_view statement) {
    bool harmless = std::find(instruction.prefixes.begin(), instruction.prefixes.end(), "lock") ==
                    instruction.prefixes.end();
    const Decoded decoded = Decode({instruction.prefixes, instruction.mnemonic, {}});
    if (decoded.effect == Effect::kJump) return;
    if (decoded.effect != Effect::kNothing) harmless = false;
    for (const Operand& operand : instruction.operands) {
      const std::string name = Lower(operand.text);
      harmless &= RegisterSize(name) != 0 || NumberOf(name).has_value();
    }
    if (!harmless) Note(statement, "Intel syntax");
  }

  bool StaysInside(const Instruction& instruction) const {
    if (instruction.operands.size() != 1) return false;
    const Operand& target = instruction.operands[0];
    if (target.kind != OperandKind::kMemory || target.text.find('%') != std::string::npos)
      return false;
    const std::string& label = target.text;
    if (label.starts_with(".L") || labels_.count(label) != 0) return true;
    const bool numeric = std::all_of(label.begin(), label.end() - 1,
                                     [](unsigned char c) { return std::isdigit(c); });
    return label.size() > 1 && numeric && (label.back() == 'b' || label.back() == 'f');
  }

  std::string Call(const Instruction& instruction, const Decoded& decoded) const {
    constexpr int kRedZone = 128;
    const int skipped = around_.MayHaveRedZone() ? kRedZone : 0;
    std::string call;
    if (skipped != 0) call += "leaq -128(%rsp), %rsp; ";
    call += "pushq %rdi; ";
    if (decoded.memory >= 0) {
      const Operand& operand = instruction.operands[static_cast<size_t>(decoded.memory)];
      std::string address = operand.text;
      if (operand.on_stack) {
        const bool joined = address[0] == '-' || address[0] == '+' || address.starts_with("(%");
        address = std::to_string(skipped + 8) + (joined ? "" : "+") + address;
      }
      call += "leaq " + address + ", %rdi; ";
    }
    call += "pushq $" + std::to_string(decoded.immediate) + "; pushq $" +
            std::to_string(op::Pack(decoded.access)) + "; ";
    call += Unwinding(skipped + 24);
    call += "leaq 16(%rsp), %rsp; popq %rdi; ";
    if (skipped != 0) call += "leaq 128(%rsp), %rsp; ";
    return call;
  }

  // The call proper, and how to find the caller's frame from within it, with `pushed` bytes
  // between.
  std::string Unwinding(int pushed) const {
    std::string call = "call *heddle_inline_asm@GOTPCREL(%rip); ";
    if (!around_.InFunction()) return call;
    // Who unwinds would take what is in the frame's register for an address.
    if (moves_frame_)
      return ".cfi_remember_state; .cfi_undefined rip; " + call + ".cfi_restore_state; ";
    if (!around_.FrameByStackPointer()) return call;
    const std::string count = std::to_string(pushed);
    return ".cfi_adjust_cfa_offset " + count + "; " + call + ".cfi_adjust_cfa_offset -" + count +
           "; ";
  }

  std::string Prefixes() const {
    std::string text;
    for (const std::string& prefix : prefixes_) text += (text.empty() ? "" : " ") + prefix;
    return text;
  }

  void Note(std::string_view instruction, std::string why) {
    Unseen unseen{place_.file, place_.line, {}, std::move(why)};
    for (const char c : instruction) unseen.text += c == '\t' || c == '\n' ? ' ' : c;
    const std::string line = Describe(unseen);
    if (noted_.insert(line).second) result_.unseen.push_back(std::move(unseen));
  }

  const std::string_view text_;
  Surroundings around_;
  Rewritten result_;
  size_t copied_ = 0;  // how much of the text is in the result
  std::set<std::string> macros_;
  std::set<std::string> noted_;
  // Of the statement at hand.
  SourcePosition place_;
  std::set<std::string, std::less<>> labels_;
  std::vector<Insertion> insertions_;
  std::vector<std::string> prefixes_;  // that wait for their instruction
  size_t first_prefix_ = 0;
  bool immovable_ = false;
  bool in_macro_ = false;
  bool moves_frame_ = false;
};

}  // namespace

bool HasAsmStatements(std::string_view text) {
  return text.find("#APP") != std::string_view::npos ||
         text.find(kFileScope) != std::string_view::npos;
}

Rewritten Rewrite(std::string_view text) { return Rewriter(text).Run(); }

std::string Describe(const Unseen& unseen) {
  std::string place = unseen.file.empty() ? "inline assembly" : unseen.file;
  if (unseen.line != 0) place += ":" + std::to_string(unseen.line);
  return place + ": " + unseen.text + ": " + unseen.why;
}

std::string Notes(const std::vector<Unseen>& unseen) {
  if (unseen.empty()) return "";
  std::string text = std::string("\n\t.pushsection ") + op::kNoteSection + ",\"a\",@note\n";
  for (const Unseen& item : unseen) {
    std::string line, escaped;
    for (const char c : Describe(item)) line += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    for (const char c : line) {
      if (c == '"' || c == '\\') escaped += '\\';
      escaped += c;
    }
    text += "\t.balign 4\n\t.long " + std::to_string(sizeof op::kNoteOwner) + ", " +
            std::to_string(line.size() + 1) + ", " + std::to_string(op::kNoteUnseenAssembly) +
            "\n\t.asciz \"" + op::kNoteOwner + "\"\n\t.balign 4\n\t.asciz \"" + escaped +
            "\"\n\t.balign 4\n";
  }
  return text + "\t.popsection\n";
}

}  // namespace heddle::assembly
