#include "assembly/decode.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace heddle::assembly {
namespace {

using op::AsmFunction;
using op::AsmKind;

// How an instruction uses its memory operand.
enum class Use {
  kIgnores,  // an address only, or a hint: lea, prefetch, nop
  kReads,    // wherever the operand stands
  kWrites,   // wherever it stands
  kMoves,    // reads it as the source, writes it as the destination (the last operand)
  kUpdates,  // reads it as the source, reads and writes it as the destination
  kExchanges,
  kExchangesAndAdds,
  kCompareExchanges,
  kTestsBit,
  kChangesBit,
};

struct Entry {
  Use use = Use::kIgnores;
  AsmFunction function = AsmFunction::kUnknown;
  unsigned size = 0;  // of the memory operand; 0: by suffix or register
};

using Table = std::map<std::string, Entry, std::less<>>;

void Add(Table& table, std::initializer_list<const char*> names, Use use, unsigned size = 0) {
  for (const char* name : names) table[name] = {use, AsmFunction::kUnknown, size};
}

// Instructions whose operands' size is in a suffix (b, w, l, q), or in a register.
const Table& Sized() {
  static const Table kTable = [] {
    Table t;
    Add(t, {"mov"}, Use::kMoves);
    Add(t, {"movbe"}, Use::kMoves);
    t["add"] = {Use::kUpdates, AsmFunction::kAdd};
    t["inc"] = {Use::kUpdates, AsmFunction::kAdd};
    t["sub"] = {Use::kUpdates, AsmFunction::kSubtract};
    t["dec"] = {Use::kUpdates, AsmFunction::kSubtract};
    t["and"] = {Use::kUpdates, AsmFunction::kAnd};
    t["or"] = {Use::kUpdates, AsmFunction::kOr};
    t["xor"] = {Use::kUpdates, AsmFunction::kXor};
    Add(t,
        {"adc", "sbb", "neg", "not", "shl", "shr", "sal", "sar", "rol", "ror", "rcl", "rcr", "shld",
         "shrd"},
        Use::kUpdates);
    Add(t,
        {"cmp",  "test", "mul",  "div",  "idiv", "imul",  "push", "popcnt",   "lzcnt",   "tzcnt",
         "bsf",  "bsr",  "adcx", "adox", "andn", "bextr", "bzhi", "blsr",     "blsi",    "blsmsk",
         "mulx", "pdep", "pext", "rorx", "sarx", "shlx",  "shrx", "cvtsi2ss", "cvtsi2sd"},
        Use::kReads);
    Add(t, {"pop"}, Use::kWrites);
    Add(t, {"xchg"}, Use::kExchanges);
    Add(t, {"xadd"}, Use::kExchangesAndAdds);
    Add(t, {"cmpxchg"}, Use::kCompareExchanges);
    Add(t, {"bt"}, Use::kTestsBit);
    t["bts"] = {Use::kChangesBit, AsmFunction::kSet};
    t["btr"] = {Use::kChangesBit, AsmFunction::kReset};
    t["btc"] = {Use::kChangesBit, AsmFunction::kFlip};
    Add(t, {"lea", "nop"}, Use::kIgnores);
    return t;
  }();
  return kTable;
}

constexpr const char* kConditions[] = {
    "o",   "no", "b",  "c", "nae", "ae", "nb", "nc", "e",   "z",  "ne", "nz", "be", "na", "a",
    "nbe", "s",  "ns", "p", "pe",  "np", "po", "l",  "nge", "ge", "nl", "le", "ng", "g",  "nle"};

void AddVectors(Table& t) {
  // A whole register; with the prefix v the register's size.
  for (const char* name : {"movaps", "movups", "movapd", "movupd", "movdqa", "movdqu", "movntdq",
                           "movntps", "movntpd", "lddqu", "movntdqa"}) {
    t[name] = {Use::kMoves, AsmFunction::kUnknown, 16};
    t[std::string("v") + name] = {Use::kMoves};
  }
  Add(t, {"vmovdqu8", "vmovdqu16", "vmovdqu32", "vmovdqu64", "vmovdqa32", "vmovdqa64"},
      Use::kMoves);
  for (const char* name :
       {"addps",   "addpd",  "subps",   "subpd",   "mulps",   "mulpd",   "divps",   "divpd",
        "andps",   "andpd",  "orps",    "orpd",    "xorps",   "xorpd",   "por",     "pxor",
        "pand",    "pandn",  "paddb",   "paddw",   "paddd",   "paddq",   "psubb",   "psubw",
        "psubd",   "psubq",  "pcmpeqb", "pcmpeqw", "pcmpeqd", "pcmpeqq", "pcmpgtb", "pcmpgtw",
        "pcmpgtd", "pshufb", "pshufd",  "pmaxub",  "pminub",  "pmulld",  "pmuludq"}) {
    t[name] = {Use::kReads, AsmFunction::kUnknown, 16};
    t[std::string("v") + name] = {Use::kReads};
  }
  const auto both = [&t](const char* name, Use use, unsigned size) {
    t[name] = {use, AsmFunction::kUnknown, size};
    t[std::string("v") + name] = {use, AsmFunction::kUnknown, size};
  };
  for (const char* name : {"movlps", "movhps", "movlpd", "movhpd", "movsd", "movq"})
    both(name, Use::kMoves, 8);
  for (const char* name : {"movss", "movd"}) both(name, Use::kMoves, 4);
  for (const char* name : {"addsd", "subsd", "mulsd", "divsd", "sqrtsd", "minsd", "maxsd", "comisd",
                           "ucomisd", "cvtsd2ss", "cvtsd2si", "cvttsd2si"})
    both(name, Use::kReads, 8);
  for (const char* name : {"addss", "subss", "mulss", "divss", "sqrtss", "minss", "maxss", "comiss",
                           "ucomiss", "cvtss2sd", "cvtss2si", "cvttss2si"})
    both(name, Use::kReads, 4);
}

struct Suffix {
  const char* letter;
  unsigned size;
};
constexpr Suffix kSuffixes[] = {{"b", 1}, {"w", 2}, {"l", 4}, {"q", 8}};

std::string Joined(std::initializer_list<std::string_view> parts) {
  std::string name;
  for (const std::string_view part : parts) name.append(part);
  return name;
}

// movzbl, movslq ...: the first letter is the size of what is read.
void AddExtensions(Table& t) {
  for (const Suffix& from : kSuffixes) {
    const Entry entry = {Use::kReads, AsmFunction::kUnknown, from.size};
    for (const char* name : {"movz", "movs"}) {
      t[Joined({name, from.letter})] = entry;
      for (const Suffix& to : kSuffixes)
        if (to.size > from.size) t[Joined({name, from.letter, to.letter})] = entry;
    }
    t[Joined({"crc32", from.letter})] = entry;
  }
}

void AddConditional(Table& t) {
  for (const char* condition : kConditions) {
    t[Joined({"set", condition})] = {Use::kWrites, AsmFunction::kUnknown, 1};
    for (const Suffix& suffix : kSuffixes)
      if (suffix.size > 1)
        t[Joined({"cmov", condition, suffix.letter})] = {Use::kReads, {}, suffix.size};
  }
  // "cmovl" is a condition, not "cmov" with a suffix.
  for (const char* condition : kConditions) t[Joined({"cmov", condition})] = {Use::kReads};
}

// Instructions whose name says all, and those whose last letter is no suffix.
const Table& Exact() {
  static const Table kTable = [] {
    Table t;
    AddExtensions(t);
    AddConditional(t);
    Add(t, {"movnti"}, Use::kWrites);
    Add(t, {"movntil"}, Use::kWrites, 4);
    Add(t, {"movntiq"}, Use::kWrites, 8);
    Add(t, {"movntq"}, Use::kWrites, 8);
    Add(t, {"cmpxchg8b"}, Use::kCompareExchanges, 8);
    Add(t, {"cmpxchg16b"}, Use::kCompareExchanges, 16);
    Add(t,
        {"prefetch", "prefetchw", "prefetchwt1", "prefetcht0", "prefetcht1", "prefetcht2",
         "prefetchnta", "clflush", "clflushopt", "clwb", "cldemote", "endbr64"},
        Use::kIgnores);
    AddVectors(t);
    // x87 and control words.
    Add(t, {"flds", "fildl", "ldmxcsr", "vldmxcsr"}, Use::kReads, 4);
    Add(t, {"fldl", "fildq", "fildll"}, Use::kReads, 8);
    Add(t, {"fldt"}, Use::kReads, 10);
    Add(t, {"filds", "fldcw"}, Use::kReads, 2);
    Add(t, {"fsts", "fstps", "fistl", "fistpl", "fisttpl", "stmxcsr", "vstmxcsr"}, Use::kWrites, 4);
    Add(t, {"fstl", "fstpl", "fistpq", "fistpll", "fisttpq", "fisttpll"}, Use::kWrites, 8);
    Add(t, {"fstpt"}, Use::kWrites, 10);
    Add(t, {"fists", "fistps", "fisttps", "fstcw", "fnstcw", "fstsw", "fnstsw"}, Use::kWrites, 2);
    Add(t, {"fldenv"}, Use::kReads, 28);
    Add(t, {"fstenv", "fnstenv"}, Use::kWrites, 28);
    Add(t, {"fxsave", "fxsave64", "fxsaveq"}, Use::kWrites, 512);
    Add(t, {"fxrstor", "fxrstor64", "fxrstorq"}, Use::kReads, 512);
    return t;
  }();
  return kTable;
}

unsigned SizeOfSuffix(char suffix) {
  switch (suffix) {
    case 'b':
      return 1;
    case 'w':
      return 2;
    case 'l':
      return 4;
    case 'q':
      return 8;
    default:
      return 0;
  }
}

std::optional<Entry> Find(const std::string& mnemonic) {
  if (auto at = Exact().find(mnemonic); at != Exact().end()) return at->second;
  if (auto at = Sized().find(mnemonic); at != Sized().end()) return at->second;
  const unsigned size = mnemonic.empty() ? 0 : SizeOfSuffix(mnemonic.back());
  if (size == 0) return std::nullopt;
  auto at = Sized().find(std::string_view(mnemonic).substr(0, mnemonic.size() - 1));
  if (at == Sized().end()) return std::nullopt;
  Entry entry = at->second;
  entry.size = size;
  return entry;
}

Decoded Unseen(std::string why) {
  Decoded decoded;
  decoded.effect = Effect::kUnseen;
  decoded.why = std::move(why);
  return decoded;
}

bool Has(const Instruction& instruction, std::initializer_list<const char*> prefixes) {
  return std::any_of(instruction.prefixes.begin(), instruction.prefixes.end(),
                     [&](const std::string& prefix) {
                       return std::any_of(prefixes.begin(), prefixes.end(),
                                          [&](const char* name) { return prefix == name; });
                     });
}

bool IsJump(const std::string& mnemonic) {
  if (mnemonic == "jmp" || mnemonic == "jmpq" || mnemonic.starts_with("loop") ||
      mnemonic == "jcxz" || mnemonic == "jecxz" || mnemonic == "jrcxz" || mnemonic == "xbegin")
    return true;
  return mnemonic.starts_with("j") &&
         std::any_of(std::begin(kConditions), std::end(kConditions),
                     [&](const char* condition) { return mnemonic.substr(1) == condition; });
}

// movs, stos, lods, scas, cmps without operands, or with those that say what they do anyway.
std::optional<Decoded> DecodeString(const Instruction& instruction) {
  const std::string& name = instruction.mnemonic;
  if (name.size() != 5) return std::nullopt;
  const std::string base = name.substr(0, 4);
  const bool bare = instruction.operands.empty();
  const unsigned size = name[4] == 'd' && bare ? 4 : SizeOfSuffix(name[4]);
  static const std::set<std::string> kBases = {"movs", "stos", "lods", "scas", "cmps", "outs"};
  if (size == 0 || kBases.count(base) == 0) return std::nullopt;
  // "movsb (%rsi), %eax" extends a sign; "movsb (%rsi), (%rdi)" copies.
  const bool to_register = !bare && instruction.operands.back().kind == OperandKind::kRegister;
  if (base == "movs" && to_register) return std::nullopt;
  const bool repeated = Has(instruction, {"rep", "repe", "repz", "repne", "repnz"});
  if (Has(instruction, {"cs", "ds", "es", "fs", "gs", "ss", "addr32"}))
    return Unseen("a string instruction with an override");
  if (base == "scas" || base == "cmps" || base == "outs")
    return Unseen("how far it reads depends on what it finds");
  if (base == "lods" && repeated) return Unseen("a repeated load");
  Decoded decoded;
  decoded.effect = Effect::kAccess;
  decoded.access.kind = base == "movs"   ? AsmKind::kCopyString
                        : base == "stos" ? AsmKind::kFillString
                                         : AsmKind::kReadString;
  decoded.access.size = static_cast<uint16_t>(size);
  decoded.access.repeated = repeated;
  return decoded;
}

// A breakpoint, which debuggers and test frameworks set: a signal, and no access.
bool IsBreakpoint(const Instruction& instruction) {
  return instruction.mnemonic == "int" && instruction.operands.size() == 1 &&
         instruction.operands[0].kind == OperandKind::kImmediate &&
         NumberOf(instruction.operands[0].text) == 3;
}

// What else reaches memory, or code, that no operand shows.
std::optional<Decoded> DecodeSpecial(const Instruction& instruction) {
  if (IsBreakpoint(instruction)) return Decoded{};
  const std::string& name = instruction.mnemonic;
  static const std::map<std::string, const char*> kReasons = {
      {"call", "a call out of the statement"},
      {"callq", "a call out of the statement"},
      {"lcall", "a call out of the statement"},
      {"ljmp", "a jump out of the statement"},
      {"syscall", "a system call"},
      {"sysenter", "a system call"},
      {"int", "a system call"},
      {"xabort", "a transaction"},
      {"xend", "a transaction"},
      {"xlat", "an address in registers"},
      {"xlatb", "an address in registers"},
      {"maskmovq", "an address in registers"},
      {"maskmovdqu", "an address in registers"},
      {"vmaskmovdqu", "an address in registers"},
      {"monitor", "an address in registers"},
      {"umonitor", "an address in registers"},
      {"clzero", "an address in registers"},
      {"enqcmd", "an address in registers"},
      {"movdir64b", "an address in registers"},
      {"swapgs", "another %gs"},
      {"iretq", "a jump out of the statement"},
  };
  if (auto reason = kReasons.find(name); reason != kReasons.end()) return Unseen(reason->second);
  if (name == "xbegin") return Unseen("a transaction");
  if (name == "mfence" || name == "lfence" || name == "sfence" || name == "serialize") {
    Decoded fence;
    fence.effect = Effect::kAccess;
    fence.access.kind =
        name == "lfence" || name == "sfence" ? AsmKind::kWeakFence : AsmKind::kFence;
    return fence;
  }
  if (IsJump(name)) {
    Decoded jump;
    jump.effect = Effect::kJump;
    return jump;
  }
  return DecodeString(instruction);
}

// The operand that a read-modify-write combines with the memory: how to find it at run time.
void AddOperand(const Instruction& instruction, Decoded& decoded) {
  const Operand* other = nullptr;
  for (size_t i = 0; i < instruction.operands.size(); ++i)
    if (static_cast<int>(i) != decoded.memory) other = &instruction.operands[i];
  op::AsmAccess& access = decoded.access;
  const bool steps =
      instruction.mnemonic.starts_with("inc") || instruction.mnemonic.starts_with("dec");
  if (other == nullptr) {
    if (!steps) return;
    access.operand = op::kAsmImmediate;
    decoded.immediate = 1;
  } else if (other->kind == OperandKind::kRegister) {
    if (auto number = GeneralRegister(other->text)) access.operand = static_cast<uint8_t>(*number);
  } else if (other->kind == OperandKind::kImmediate) {
    const std::optional<long> value = NumberOf(other->text);
    if (!value) return;
    access.operand = op::kAsmImmediate;
    decoded.immediate = static_cast<int32_t>(*value);  // of 8 bytes: the sign extends it
  }
}

unsigned SizeByRegister(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands)
    if (operand.kind == OperandKind::kRegister) return RegisterSize(operand.text);
  return 0;
}

bool RegisterIsNoSize(const std::string& mnemonic) {
  static const std::set<std::string> kNames = {"shl", "shr", "sal", "sar",      "rol",
                                               "ror", "rcl", "rcr", "cvtsi2ss", "cvtsi2sd"};
  return kNames.count(mnemonic) != 0;
}

AsmKind KindOf(Use use, bool is_destination, bool locked) {
  switch (use) {
    case Use::kReads:
    case Use::kTestsBit:
      return AsmKind::kLoad;
    case Use::kMoves:
      return is_destination ? AsmKind::kStore : AsmKind::kLoad;
    case Use::kWrites:
      return AsmKind::kPlainWrite;
    case Use::kUpdates:
      if (!is_destination) return AsmKind::kLoad;
      return locked ? AsmKind::kUpdate : AsmKind::kPlainUpdate;
    case Use::kExchangesAndAdds:
    case Use::kChangesBit:
      return locked ? AsmKind::kUpdate : AsmKind::kPlainUpdate;
    case Use::kExchanges:
      return AsmKind::kExchange;  // locks by itself
    case Use::kCompareExchanges:
      return locked ? AsmKind::kCompareExchange : AsmKind::kPlainUpdate;
    case Use::kIgnores:
      break;
  }
  return AsmKind::kPlainRead;
}

Decoded DecodeMemory(const Instruction& instruction, const Entry& entry, int memory) {
  const Operand& operand = instruction.operands[static_cast<size_t>(memory)];
  Decoded decoded;
  decoded.memory = memory;
  if (entry.use == Use::kIgnores || operand.is_constant) return decoded;
  const bool locked = Has(instruction, {"lock"});
  if (Has(instruction, {"cs", "ds", "es", "fs", "gs", "ss", "addr32", "addr16"}))
    return Unseen("an override before the instruction");
  if (operand.on_stack && instruction.mnemonic.starts_with("pop"))
    return Unseen("an address that the instruction itself moves");
  unsigned size = entry.size;
  if (size == 0 && !RegisterIsNoSize(instruction.mnemonic)) size = SizeByRegister(instruction);
  if (size == 0 && (instruction.mnemonic == "push" || instruction.mnemonic == "pop")) size = 8;
  if (size == 0) return Unseen("the size of its access");
  const bool is_destination = static_cast<size_t>(memory) + 1 == instruction.operands.size();
  decoded.effect = Effect::kAccess;
  decoded.access.kind = KindOf(entry.use, is_destination, locked);
  if (locked && decoded.access.kind != AsmKind::kUpdate &&
      decoded.access.kind != AsmKind::kExchange && decoded.access.kind != AsmKind::kCompareExchange)
    return Unseen("a lock prefix that it does not take");
  decoded.access.size = static_cast<uint16_t>(size);
  decoded.access.thread_local_base = operand.segment == "fs";
  AddOperand(instruction, decoded);
  const bool changes_bit = entry.use == Use::kChangesBit || entry.use == Use::kTestsBit;
  if (changes_bit && decoded.access.operand == op::kAsmNoOperand) return Unseen("the bit's number");
  decoded.access.bit_string = changes_bit;
  decoded.access.function =
      entry.use == Use::kExchangesAndAdds ? AsmFunction::kAdd : entry.function;
  return decoded;
}

}  // namespace

bool IsPrefix(std::string_view word) {
  static const std::set<std::string, std::less<>> kPrefixes = {
      "lock",     "rep",     "repe",    "repz",     "repne",  "repnz",   "data16",      "addr32",
      "addr16",   "cs",      "ds",      "es",       "fs",     "gs",      "ss",          "xacquire",
      "xrelease", "notrack", "bnd",     "rex",      "rex64",  "rex.w",   "{vex}",       "{vex2}",
      "{vex3}",   "{evex}",  "{disp8}", "{disp32}", "{load}", "{store}", "{nooptimize}"};
  return kPrefixes.count(word) != 0;
}

Decoded Decode(const Instruction& instruction) {
  if (std::optional<Decoded> special = DecodeSpecial(instruction)) return *special;
  int memory = -1;
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    const OperandKind kind = instruction.operands[i].kind;
    if (kind == OperandKind::kOdd) return Unseen("an operand in a form that is not known");
    if (kind == OperandKind::kIndirect) return Unseen("an indirect operand");
    if (kind != OperandKind::kMemory) continue;
    if (memory >= 0) return Unseen("two operands in memory");
    memory = static_cast<int>(i);
  }
  if (memory < 0) {
    if (Has(instruction, {"lock"})) return Unseen("a lock prefix without an operand in memory");
    return {};
  }
  const std::optional<Entry> entry = Find(instruction.mnemonic);
  if (!entry) return Unseen("an instruction that is not known, with an operand in memory");
  return DecodeMemory(instruction, *entry, memory);
}

}  // namespace heddle::assembly
