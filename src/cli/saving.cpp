#include "cli/saving.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "report/shell_word.h"
#include "session/digest.h"
#include "session/files.h"

namespace heddle::cli {
namespace {

using base::Error;
using Option = session::SavedSearch::Option;

// What each run may have its own way: when it stops, and what is done with the result.
bool MayChange(std::string_view name) {
  constexpr std::array<std::string_view, 17> kNames = {
      "--shard",  "--result",     "--executions", "--time", "--keep-going", "--require-complete",
      "--out",    "--json",       "--quiet",      "--full", "--color",      "--save",
      "--format", "--save-every", "--resume",     "--jobs", "--help"};
  return std::ranges::find(kNames, name) != kNames.end();
}

// What is no setting of the search, and yet decides what is searched.
bool IsOfProgram(std::string_view name) {
  return name == "--suppressions" || name == "--uninstrumented" || name == "--no-debug-info";
}

// What is in the command by now, and what no search is saved with.
bool IsOfCommand(std::string_view name) {
  return name == "--case" || name == "--each" || name == "--list-cases" || name == "--at-check" ||
         name == "--fields";
}

std::vector<std::string> WordsOf(const Option& option) {
  std::vector<std::string> words = {option.name};
  words.insert(words.end(), option.values.begin(), option.values.end());
  return words;
}

std::string Written(const Option& option) {
  std::string text;
  for (const std::string& word : WordsOf(option))
    text += (text.empty() ? "" : " ") + report::ShellWord(word);
  return text;
}

const Option* Find(const std::vector<Option>& options, const std::string& name) {
  const auto found = std::ranges::find(options, name, &Option::name);
  return found == options.end() ? nullptr : &*found;
}

// Would the search be the same with `option`?
bool ChangesNothing(const std::vector<Option>& saved, const Option& option) {
  const Option* before = Find(saved, option.name);
  if (before != nullptr && before->values == option.values) return true;
  if (IsOfProgram(option.name)) return false;
  std::vector<Option> with = saved;
  std::erase_if(with, [&](const Option& other) { return other.name == option.name; });
  with.push_back(option);
  const base::Result<SearchOptions> was = ReadOptions(saved);
  const base::Result<SearchOptions> is = ReadOptions(with);
  if (!was.Ok() || !is.Ok()) return false;
  const base::Result<channel::Settings> settings_were = MakeSettings(*was);
  const base::Result<channel::Settings> settings_are = MakeSettings(*is);
  return settings_were.Ok() && settings_are.Ok() && *settings_were == *settings_are;
}

std::optional<Error> RefuseCommand(const session::SavedImage& saved,
                                   const std::vector<std::string>& command) {
  if (command.empty()) return std::nullopt;
  const std::vector<std::string>& was = saved.Description().command;
  if (std::equal(command.begin() + 1, command.end(), was.begin() + 1, was.end()))
    return std::nullopt;
  std::string text;
  for (const std::string& word : was) text += (text.empty() ? "" : " ") + report::ShellWord(word);
  return Error{saved.Path() + " is a search of `" + text +
               "`: give the same arguments, or none and no program"};
}

// As it was given, if that means the same here.
std::string FolderOfSaved(const session::SavedSearch& search) {
  std::error_code error;
  if (std::filesystem::current_path(error) == search.directory) return search.out;
  return (std::filesystem::path(search.directory) / search.out).lexically_normal().string();
}

// Why nothing is to be written over `file`, unless it is the search `goes_on`. `whole`: what to
// give to go on with what is in it.
std::optional<Error> RefuseFile(const std::string& file, const std::string& goes_on,
                                const std::string& whole) {
  struct stat status;
  if (stat(file.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode))
    return Error{"cannot save a search to " + file + ": it is no regular file"};
  std::error_code error;
  if (status.st_size == 0 || std::filesystem::equivalent(file, goes_on, error)) return std::nullopt;
  const std::optional<bool> unfinished = session::IsUnfinished(file);
  if (!unfinished) return Error{"will not write over " + file + ", which is no saved search"};
  if (*unfinished)
    return Error{file + " holds a search that is not finished: go on with it (--resume " +
                 report::ShellWord(whole) + "), or remove it"};
  return std::nullopt;
}

bool IsLibheddle(const std::string& path) {
  return std::filesystem::path(path).filename() == "libheddle.so";
}

}  // namespace

std::vector<Option> OptionsOfSearch(const CommandLine& line) {
  std::vector<Option> options;
  for (CommandLine::Given& given : line.AllGiven())
    if (!MayChange(given.name) && !IsOfCommand(given.name))
      options.push_back({std::move(given.name), std::move(given.values)});
  return options;
}

base::Result<SearchOptions> ReadOptions(const std::vector<Option>& options) {
  CommandLine line("", "");
  SearchOptions read;
  AddSearchOptions(line, read);
  std::vector<std::string> words;
  for (const Option& option : options)
    for (const std::string& word : WordsOf(option)) words.push_back(word);
  if (auto error = line.Read(words)) return *error;
  return read;
}

base::Result<SearchOptions> OptionsOfSaved(const session::SavedImage& saved,
                                           const CommandLine& line, const SearchOptions& given) {
  const std::vector<Option>& were = saved.Description().options;
  for (const Option& option : OptionsOfSearch(line)) {
    if (ChangesNothing(were, option)) continue;
    const Option* before = Find(were, option.name);
    return Error{Written(option) + ": " + saved.Path() + " is a search " +
                 (before != nullptr ? "with " + Written(*before) : "without that option") +
                 "; drop it, or begin a new search"};
  }
  base::Result<SearchOptions> read = ReadOptions(were);
  if (!read.Ok()) return Error{saved.Path() + ": " + read.Message()};
  SearchOptions options = *read;
  options.executions = given.executions;
  options.time_ms = given.time_ms;
  options.keep_going = given.keep_going;
  options.require_complete = given.require_complete;
  options.out = line.IsGiven("--out") ? given.out : FolderOfSaved(saved.Description());
  options.json = given.json;
  options.quiet = given.quiet;
  options.full = given.full;
  options.color = given.color;
  options.save = given.save;
  options.save_every_ms = given.save_every_ms;
  options.resume = given.resume;
  return options;
}

std::optional<Error> RefuseOtherFiles(const std::string& saved, const session::SavedSearch& search,
                                      const std::string& program, const std::string& library) {
  if (!std::filesystem::is_directory(search.directory))
    return Error{saved + ": the search was begun in " + search.directory +
                 ", which is not there any more"};
  for (const session::SavedSearch::File& file : search.files) {
    const bool is_program = file.path == search.program;
    const std::string& path = is_program ? program : IsLibheddle(file.path) ? library : file.path;
    const base::Result<std::string> digest = session::DigestOfFile(path);
    if (digest.Ok() && *digest == file.sha256) continue;
    if (!digest.Ok()) return Error{saved + ": " + digest.Message()};
    if (IsLibheddle(file.path))
      return Error{saved + " was saved by another build of heddle (" + search.heddle_version +
                   "): go on with that one"};
    return Error{saved + ": " + path + " is not the " + (is_program ? "program" : "library") +
                 " that the search was begun with: it was changed since"};
  }
  return std::nullopt;
}

std::optional<Error> RefuseOthers(const session::SavedImage& saved,
                                  const std::vector<std::string>& command,
                                  const std::string& program, const std::string& library) {
  if (auto error = RefuseCommand(saved, command)) return error;
  return RefuseOtherFiles(saved.Path(), saved.Description(), program, library);
}

std::optional<Error> RefuseSave(const SearchOptions& options,
                                const std::vector<std::string>& inputs) {
  if (options.save.empty()) return std::nullopt;
  if (auto error = session::CheckWritable(options.save, inputs)) return error;
  if (std::filesystem::path(options.save).lexically_normal() ==
      std::filesystem::path(options.json).lexically_normal())
    return Error{"--save and --json name the same file"};
  if (auto error = RefuseFile(options.save, options.resume, options.save)) return error;
  if (options.resume.empty()) return RefuseFile(options.save + kSavedSuffix, "", options.save);
  return RefuseFile(options.save + kSavedSuffix, options.resume + kSavedSuffix, options.save);
}

}  // namespace heddle::cli
