#include "cli/compiler_arguments.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

namespace heddle::cli {
namespace {

// Options whose value may be the next word, or glued to the option ("-Idir" and "-I dir"). Longer
// names first, so that -include is not read as -I with the value "nclude".
struct ValueOption {
  std::string_view name;
  Role role;
  bool glued;  // the value may also be glued to the name
};
constexpr auto kValueOptions = std::to_array<ValueOption>({
    {"-include", Role::kCompile, false},
    {"-imacros", Role::kCompile, false},
    {"-isystem", Role::kCompile, true},
    {"-iquote", Role::kCompile, true},
    {"-idirafter", Role::kCompile, true},
    {"-iprefix", Role::kCompile, true},
    {"-iwithprefixbefore", Role::kCompile, true},
    {"-iwithprefix", Role::kCompile, true},
    {"-include-pch", Role::kCompile, false},
    {"-isysroot", Role::kBoth, false},
    {"-imultilib", Role::kCompile, false},
    {"--include", Role::kCompile, false},
    {"--param", Role::kBoth, false},
    {"--sysroot", Role::kBoth, false},
    {"--language", Role::kLanguage, false},
    {"--output", Role::kOutput, false},
    {"-MF", Role::kCompile, true},
    {"-MT", Role::kCompile, true},
    {"-MQ", Role::kCompile, true},
    {"-MJ", Role::kCompile, true},
    {"-Xpreprocessor", Role::kCompile, false},
    {"-Xassembler", Role::kCompile, false},
    {"-Xclang", Role::kCompile, false},
    {"-Xanalyzer", Role::kCompile, false},
    {"-mllvm", Role::kCompile, false},
    {"-ivfsoverlay", Role::kCompile, false},
    {"-aux-info", Role::kCompile, false},
    {"-dumpbase-ext", Role::kBoth, false},
    {"-dumpbase", Role::kBoth, false},
    {"-dumpdir", Role::kBoth, false},
    {"-serialize-diagnostics", Role::kCompile, false},
    {"--serialize-diagnostics", Role::kCompile, false},
    {"-working-directory", Role::kBoth, false},
    {"-target", Role::kBoth, false},
    {"-gcc-toolchain", Role::kBoth, false},
    {"-wrapper", Role::kBoth, false},
    {"-Xlinker", Role::kLink, false},
    {"-rpath", Role::kLink, false},
    {"-Tdata", Role::kLink, false},
    {"-Ttext", Role::kLink, false},
    {"-Tbss", Role::kLink, false},
    {"-I", Role::kCompile, true},
    {"-D", Role::kCompile, true},
    {"-U", Role::kCompile, true},
    {"-A", Role::kCompile, true},
    {"-B", Role::kBoth, true},
    {"-L", Role::kLink, true},
    {"-l", Role::kLink, true},
    {"-T", Role::kLink, true},
    {"-u", Role::kLink, true},
    {"-z", Role::kLink, true},
    {"-e", Role::kLink, false},
    {"-h", Role::kLink, true},
    {"-o", Role::kOutput, true},
    {"-x", Role::kLanguage, true},
});

constexpr std::string_view kLinkOptions[] = {"-shared",
                                             "-static",
                                             "-static-pie",
                                             "-static-libgcc",
                                             "-static-libasan",
                                             "-static-libubsan",
                                             "-shared-libgcc",
                                             "-rdynamic",
                                             "-s",
                                             "-pie",
                                             "-no-pie",
                                             "-nopie",
                                             "-nostdlib",
                                             "-nodefaultlibs",
                                             "-nostartfiles",
                                             "-nolibc",
                                             "-nostdlib++",
                                             "-symbolic",
                                             "-r",
                                             "-n",
                                             "-N",
                                             "-t",
                                             "--shared",
                                             "--static"};

constexpr std::string_view kCompileOnly[] = {
    "-c",           "-S",        "-E",         "-M",           "-MM",       "-fsyntax-only",
    "--precompile", "--compile", "--assemble", "--preprocess", "-emit-ast", "--analyze"};

constexpr std::string_view kSourceSuffixes[] = {"c",   "i",   "ii",  "C",   "cc",   "cp",
                                                "cxx", "cpp", "CPP", "c++", "cppm", "ixx",
                                                "m",   "mi",  "mm",  "M"};
constexpr std::string_view kHeaderSuffixes[] = {"h",   "hh",  "H",   "hp", "hxx",
                                                "hpp", "HPP", "h++", "tcc"};
constexpr std::string_view kAssemblySuffixes[] = {"s", "S", "sx"};

template <typename List>
bool Contains(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// Sanitizers whose runtime replaces the same functions as libheddle, or that compile for another
// one.
constexpr std::string_view kForeignSanitizers[] = {
    "address",  "kernel-address", "hwaddress", "kernel-hwaddress", "memory", "leak",
    "dataflow", "fuzzer",         "scudo",     "safe-stack"};

// -fsanitize=a,b without `thread`, which is ours; notes that it was there, and the first sanitizer
// that we cannot live with.
std::string WithoutThread(std::string_view list, CompilerArguments& command) {
  std::string& foreign = command.sanitizer;
  std::string kept;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::string_view name = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    command.asks_thread |= name == "thread";
    if (name == "thread" || name.empty()) continue;
    if (foreign.empty() && Contains(kForeignSanitizers, name)) foreign = name;
    kept += kept.empty() ? "" : ",";
    kept += name;
  }
  return kept;
}

// Of the same family, but with other pointers than ours.
constexpr std::string_view kOtherMachines[] = {"-m32", "-mx32", "-m16", "-miamcu"};

Role RoleOfFile(std::string_view file, std::string_view language) {
  if (!language.empty()) return language.starts_with("assembler") ? Role::kAssembly : Role::kSource;
  if (file == "-") return Role::kSource;
  const size_t slash = file.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? file : file.substr(slash + 1);
  const size_t dot = name.rfind('.');
  const std::string_view suffix = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  if (Contains(kAssemblySuffixes, suffix)) return Role::kAssembly;
  if (Contains(kSourceSuffixes, suffix) || Contains(kHeaderSuffixes, suffix)) return Role::kSource;
  return Role::kLink;  // objects, archives, linker scripts: whatever the compiler does not know
}

bool IsHeader(const Argument& source) {
  if (!source.language.empty()) return source.language.ends_with("-header");
  const std::string& file = source.words[0];
  const size_t dot = file.rfind('.');
  return dot != std::string::npos &&
         Contains(kHeaderSuffixes, std::string_view(file).substr(dot + 1));
}

bool IsDebugOption(std::string_view word) {
  return word.starts_with("-g") && !word.starts_with("-gcc-toolchain");
}

bool IsInformation(std::string_view word) {
  return word == "--version" || word == "--help" || word == "--target-help" ||
         word.starts_with("--help=") || word.starts_with("-print-") ||
         word.starts_with("--print-") || word == "-dumpversion" || word == "-dumpfullversion" ||
         word == "-dumpmachine" || word == "-dumpspecs";
}

// The collected facts while reading.
struct Reader {
  CompilerArguments result;
  std::string language;
  bool informs = false;
  bool ends_before_link = false;
  bool links_something = false;
  bool has_source = false;
  bool only_headers = true;

  void Add(Role role, std::vector<std::string> words) {
    if (role == Role::kLink) links_something = true;
    result.arguments.push_back({role, std::move(words), {}});
  }

  void AddFile(const std::string& word) {
    const Role role = RoleOfFile(word, language);
    Add(role, {word});
    if (role == Role::kLink) return;
    result.arguments.back().language = language;
    has_source = true;
    if (!IsHeader(result.arguments.back())) only_headers = false;
  }

  void AddWithValue(const ValueOption& option, std::vector<std::string> words) {
    const std::string value = words.size() == 2 ? words[1] : words[0].substr(option.name.size());
    if (option.name == "-MF") result.names_dependency_file = true;
    if (option.name == "-MT" || option.name == "-MQ") result.names_dependency_target = true;
    if (option.role == Role::kOutput) result.output = value;
    if (option.role == Role::kLanguage) language = value == "none" ? "" : value;
    Add(option.role, std::move(words));
  }

  void AddFlag(const std::string& word) {
    constexpr std::string_view kSanitize = "-fsanitize=";
    if (IsInformation(word)) informs = true;
    if (word == "--version") result.asks_version = true;
    if (word == "-m64") result.other_machine.clear();  // the last one counts
    if (Contains(kOtherMachines, word)) result.other_machine = word;
    if (IsDebugOption(word)) result.has_debug_option = true;
    if (Contains(kCompileOnly, word)) {
      ends_before_link = true;
      Add(Role::kBoth, {word});
    } else if (word.starts_with(kSanitize)) {
      const std::string kept =
          WithoutThread(std::string_view(word).substr(kSanitize.size()), result);
      if (kept.empty()) {
        Add(Role::kDropped, {word});
      } else {
        Add(Role::kBoth, {std::string(kSanitize) + kept});
      }
    } else if (word == "-static-libtsan" || word == "-static-libstdc++" || word == "-flto" ||
               word.starts_with("-flto=")) {
      Add(Role::kDropped, {word});
    } else if (word == "-MD" || word == "-MMD") {
      result.writes_dependencies = true;
      Add(Role::kCompile, {word});
    } else if (word.starts_with("-Wl,") || word.starts_with("-fuse-ld=") ||
               Contains(kLinkOptions, word)) {
      result.relocatable |= word == "-r" || word == "-Wl,-r" || word == "-Wl,--relocatable";
      result.is_static |= word == "-static" || word == "--static" || word == "-static-pie";
      Add(Role::kLink, {word});
    } else {
      const bool compile =
          word.starts_with("-Wp,") || word.starts_with("-Wa,") || word.starts_with("-M");
      Add(compile ? Role::kCompile : Role::kBoth, {word});
    }
  }
};

// The option of the table that `word` is, glued or not; a glued value must not look like another
// option's name.
const ValueOption* FindValueOption(std::string_view word) {
  for (const ValueOption& option : kValueOptions) {
    if (word == option.name) return &option;
  }
  for (const ValueOption& option : kValueOptions) {
    if (option.glued && word.starts_with(option.name)) return &option;
  }
  return nullptr;
}

// Words that begin like an option with a glued value and are none.
bool LooksGluedButIsNot(std::string_view word) {
  return word == "-undef" || Contains(kLinkOptions, word) || Contains(kCompileOnly, word);
}

}  // namespace

bool CompilerArguments::HasSources() const {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const Argument& argument) { return argument.role == Role::kSource; });
}

CompilerArguments ReadCompilerArguments(std::span<const std::string> words) {
  Reader reader;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.empty() || word[0] != '-' || word == "-") {
      reader.AddFile(word);
      continue;
    }
    const ValueOption* option = LooksGluedButIsNot(word) ? nullptr : FindValueOption(word);
    if (option == nullptr) {
      reader.AddFlag(word);
    } else if (word == option->name && i + 1 < words.size()) {
      reader.AddWithValue(*option, {word, words[++i]});
    } else {
      reader.AddWithValue(*option, {word});
    }
  }
  CompilerArguments& result = reader.result;
  if (reader.informs || (!reader.has_source && !reader.links_something)) {
    result.action = Action::kInform;
  } else if (reader.ends_before_link || (reader.has_source && reader.only_headers)) {
    result.action = Action::kCompile;
  } else {
    result.action = Action::kLink;
  }
  return std::move(result);
}

namespace {

std::vector<std::string> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

// A file that names itself would never end; both compilers give up at some depth too.
constexpr int kDeepestResponseFile = 64;

void Expand(std::span<const std::string> words, int depth, std::vector<std::string>& result) {
  for (const std::string& word : words) {
    if (depth < kDeepestResponseFile && word.size() > 1 && word[0] == '@') {
      std::ifstream file(word.substr(1), std::ios::binary);
      if (file) {
        const std::string text{std::istreambuf_iterator<char>(file),
                               std::istreambuf_iterator<char>()};
        if (!file.bad()) {
          Expand(SplitWords(text), depth + 1, result);
          continue;
        }
      }
    }
    result.push_back(word);
  }
}

}  // namespace

std::vector<std::string> ExpandResponseFiles(std::span<const std::string> words) {
  std::vector<std::string> result;
  Expand(words, 0, result);
  return result;
}

}  // namespace heddle::cli
