#include "cli/parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "cli/command.h"
#include "cli/did_you_mean.h"

namespace heddle::cli {
namespace {

// The text with line breaks, so that no line is longer than `width`.
std::string Wrapped(const std::string& text, size_t width) {
  std::istringstream words(text);
  std::string wrapped, word;
  size_t column = 0;
  while (words >> word) {
    const bool fits = column == 0 || column + 1 + word.size() <= width;
    if (column != 0) wrapped += fits ? ' ' : '\n';
    column = (fits && column != 0 ? column + 1 : 0) + word.size();
    wrapped += word;
  }
  return wrapped;
}

class Formatter : public CLI::Formatter {
 public:
  // `first`: the options that --help lists; empty: all.
  Formatter(std::string usage, std::vector<std::string> first)
      : usage_(std::move(usage)), first_(std::move(first)) {
    column_width(kHelpColumn);
  }
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    Formatter all(usage_, mode == CLI::AppFormatMode::All ? std::vector<std::string>() : first_);
    std::string text = all.CLI::Formatter::make_help(app, std::move(name), mode);
    for (size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
    return text;
  }
  std::string make_group(std::string group, bool positional,
                         std::vector<const CLI::Option*> options) const override {
    if (!first_.empty()) std::erase_if(options, [&](const auto* option) { return !Has(*option); });
    return options.empty() ? "" : CLI::Formatter::make_group(std::move(group), positional, options);
  }
  std::string make_footer(const CLI::App* app) const override {
    const std::string more =
        "\nAll " + std::to_string(CountOf(*app)) + " options: " + app->get_name() + " --help-all\n";
    return (first_.empty() ? "" : more) + CLI::Formatter::make_footer(app);
  }
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: " + usage_ + "\n";
  }
  // Only what the value is called: CLI11 would add the checks, and what the option excludes.
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_positional()) return option->get_items_expected_max() > 1 ? " ..." : "";
    const std::string type = option->get_type_size() == 0 ? "" : option->get_type_name();
    return type.empty() ? "" : " " + type.substr(0, type.find(':'));
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    const bool must = option->get_required() && !option->get_positional();
    return Wrapped(option->get_description() + (must ? " (required)" : ""),
                   kHelpWidth - kHelpColumn);
  }
  // CLI11 shows the value that a flag has when it is given without one, and not that it takes one.
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    const std::string name = CLI::Formatter::make_option_name(option, positional);
    const size_t value = name.find('{');
    return value == std::string::npos ? name : name.substr(0, value) + "[=PATH]";
  }

 private:
  static constexpr size_t kHelpColumn = 28;
  static constexpr size_t kHelpWidth = 100;

  static size_t CountOf(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); })
        .size();
  }
  bool Has(const CLI::Option& option) const {
    return std::ranges::any_of(first_,
                               [&](const std::string& name) { return option.check_name(name); });
  }

  std::string usage_;
  std::vector<std::string> first_;
};

// The words, with "--out=" as the two words "--out" and "": CLI11 would take the next one for the
// value.
std::vector<std::string> WithEmptyValues(const CLI::App& app,
                                         const std::vector<std::string>& options) {
  std::vector<std::string> all;
  for (auto at = options.begin(); at != options.end(); ++at) {
    if (*at == "--") {
      all.insert(all.end(), at, options.end());
      break;
    }
    const bool ends = at->starts_with("--") && at->find('=') == at->size() - 1;
    const CLI::Option* option =
        ends ? app.get_option_no_throw(at->substr(0, at->size() - 1)) : nullptr;
    const bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
    all.push_back(takes_value ? at->substr(0, at->size() - 1) : *at);
    if (takes_value) all.emplace_back();
  }
  return all;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// Without those that the help leaves out.
std::vector<std::string> NamesOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty() && !option->get_positional())
      names.push_back(option->get_name());
  return names;
}

std::string Wrong(const CLI::App& app, const std::string& what) {
  return what + " (see " + app.get_name() + " --help)";
}

}  // namespace

base::Result<uint64_t> ParseDuration(const std::string& text) {
  static const std::map<std::string, double> kUnits = {
      {"ms", 1.0}, {"", 1e3}, {"s", 1e3}, {"m", 6e4}, {"min", 6e4}, {"h", 36e5}, {"d", 864e5}};
  double number = 0;
  auto parsed =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  auto unit = kUnits.find(std::string(parsed.ptr, text.data() + text.size()));
  bool good =
      parsed.ec == std::errc() && unit != kUnits.end() && std::isfinite(number) && number >= 0;
  double milliseconds = good ? number * unit->second : 0;
  if (!good) return base::Error{"'" + text + "' is not a duration: write 500ms, 60s, 5m or 2h"};
  if (milliseconds > 1e15) return base::Error{"'" + text + "' is too long: leave it out"};
  // 0 is "no limit" where it is taken for a limit: the shortest one is no such thing.
  if (number > 0) milliseconds = std::max(milliseconds, 1.0);
  return static_cast<uint64_t>(std::llround(milliseconds));
}

const CommandLine::Option& CommandLine::Option::Type(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

const CommandLine::Option& CommandLine::Option::Group(const std::string& heading) const {
  option_->group(heading);
  return *this;
}

const CommandLine::Option& CommandLine::Option::Required() const {
  option_->required();
  return *this;
}

const CommandLine::Option& CommandLine::Option::Excludes(const Option& other) const {
  option_->excludes(other.option_);
  return *this;
}

const CommandLine::Option& CommandLine::Option::Among(const std::vector<std::string>& words) const {
  option_->check(CLI::IsMember(words));
  return *this;
}

const CommandLine::Option& CommandLine::Option::Between(uint64_t least, uint64_t most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

const CommandLine::Option& CommandLine::Option::NotEmpty() const {
  option_->check([](const std::string& value) { return value.empty() ? "empty value" : ""; });
  return *this;
}

const CommandLine::Option& CommandLine::Option::Repeatable() const {
  option_->take_all()->expected(1);
  return *this;
}

CommandLine::CommandLine(const std::string& about, const std::string& name)
    : app_(std::make_unique<CLI::App>(about, name)) {}
CommandLine::~CommandLine() = default;

void CommandLine::SetUsage(const std::string& usage) {
  app_->formatter(std::make_shared<Formatter>(usage, std::vector<std::string>()));
}

void CommandLine::SetUsage(const std::string& usage, std::vector<std::string> first) {
  app_->set_help_all_flag("--help-all", "List all options, in groups");
  first.insert(first.end(), {"--help", "--help-all"});
  app_->formatter(std::make_shared<Formatter>(usage, std::move(first)));
}

void CommandLine::SetFooter(const std::string& text) { app_->footer(text); }

CommandLine::Option CommandLine::Text(const std::string& name, std::string& value,
                                      const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

CommandLine::Option CommandLine::Text(const std::string& name, std::optional<std::string>& value,
                                      const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

CommandLine::Option CommandLine::Text(const std::string& name, std::vector<std::string>& values,
                                      const std::string& help) {
  return Option(app_->add_option(name, values, help));
}

CommandLine::Option CommandLine::Flag(const std::string& name, bool& value,
                                      const std::string& help) {
  return Option(app_->add_flag(name, value, help));
}

CommandLine::Option CommandLine::Flag(const std::string& name, std::string& value,
                                      const std::string& help) {
  return Option(app_->add_flag(name, value, help));
}

CommandLine::Option CommandLine::Flag(const std::string& name, std::function<void()> given,
                                      const std::string& help) {
  return Option(app_->add_flag_callback(name, std::move(given), help));
}

CommandLine::Option CommandLine::Descriptor(const std::string& name, int& descriptor,
                                            const std::string& help) {
  return Option(app_->add_option(name, descriptor, help));
}

CommandLine::Option CommandLine::Number(const std::string& name, uint64_t& number,
                                        const std::string& help) {
  return Option(app_->add_option_function<std::string>(
                        name,
                        [name, &number](const std::string& text) {
                          const char* end = text.data() + text.size();
                          auto parsed = std::from_chars(text.data(), end, number);
                          if (parsed.ec != std::errc() || parsed.ptr != end) {
                            throw CLI::ValidationError(
                                name, "'" + text +
                                          "' is not a whole number from 0 to 18446744073709551615");
                          }
                        },
                        help)
                    ->type_name("N"));
}

CommandLine::Option CommandLine::Duration(const std::string& name, uint64_t& milliseconds,
                                          const std::string& help) {
  return Option(app_->add_option_function<std::string>(
                        name,
                        [name, &milliseconds](const std::string& text) {
                          base::Result<uint64_t> duration = ParseDuration(text);
                          if (!duration.Ok()) throw CLI::ValidationError(name, duration.Message());
                          milliseconds = *duration;
                        },
                        help)
                    ->type_name("TIME"));
}

CommandLine::Option CommandLine::Bytes(const std::string& name, uint64_t& bytes,
                                       const std::string& help) {
  return Option(app_->add_option_function<std::string>(
                        name,
                        [name, &bytes](const std::string& text) {
                          static const std::map<std::string, unsigned> kShifts = {
                              {"", 0}, {"k", 10}, {"m", 20}, {"g", 30}, {"t", 40}};
                          const char* const end = text.data() + text.size();
                          uint64_t number = 0;
                          const auto parsed = std::from_chars(text.data(), end, number);
                          std::string unit(parsed.ptr, end);
                          std::ranges::transform(unit, unit.begin(),
                                                 [](unsigned char c) { return std::tolower(c); });
                          if (unit.ends_with("ib")) unit.resize(unit.size() - 2);
                          if (unit.ends_with("b")) unit.pop_back();
                          const auto shift = kShifts.find(unit);
                          if (parsed.ec != std::errc() || shift == kShifts.end() ||
                              number > UINT64_MAX >> shift->second) {
                            throw CLI::ValidationError(
                                name,
                                "'" + text + "' is not an amount of memory: write 500M or 2G");
                          }
                          bytes = number << shift->second;
                        },
                        help)
                    ->type_name("BYTES"));
}

void CommandLine::Color(report::ColorChoice& choice) {
  static const std::map<std::string, report::ColorChoice> kChoices = {
      {"auto", report::ColorChoice::kAuto},
      {"always", report::ColorChoice::kAlways},
      {"never", report::ColorChoice::kNever}};
  app_->add_option_function<std::string>(
          "--color",
          [&choice](const std::string& text) {
            auto found = kChoices.find(text);
            if (found == kChoices.end()) {
              throw CLI::ValidationError("--color",
                                         "'" + text + "' is none of auto, always, never");
            }
            choice = found->second;
          },
          "Colours: auto (on a terminal), always or never")
      ->type_name("WHEN");
}

std::vector<std::string> CommandLine::SplitProgram(const std::vector<std::string>& arguments,
                                                   std::vector<std::string>& program) const {
  auto at = arguments.begin();
  std::vector<std::string> options;
  while (at != arguments.end() && *at != "--" && at->starts_with("-") && *at != "-") {
    options.push_back(*at);
    const CLI::Option* option = app_->get_option_no_throw(at->substr(0, at->find('=')));
    bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
    bool has_value = at->find('=') != std::string::npos;
    ++at;
    if (takes_value && !has_value && at != arguments.end()) options.push_back(*at++);
  }
  if (at != arguments.end() && *at == "--") ++at;
  program.assign(at, arguments.end());
  return options;
}

std::vector<std::string> CommandLine::OursAfterProgram(
    const std::vector<std::string>& arguments, const std::vector<std::string>& program) const {
  std::vector<std::string> ours;
  const size_t before = arguments.size() - program.size();
  if (before > 0 && arguments[before - 1] == "--") return ours;
  for (size_t i = 1; i < program.size() && program[i] != "--"; ++i) {
    const std::string name = program[i].substr(0, program[i].find('='));
    // Short ones, and --help, are everybody's.
    if (!name.starts_with("--") || name == "--help") continue;
    const bool known = app_->get_option_no_throw(name) != nullptr;
    if (known && std::ranges::find(ours, name) == ours.end()) ours.push_back(name);
  }
  return ours;
}

std::optional<int> CommandLine::Parse(const std::vector<std::string>& options) {
  const std::vector<std::string> words = WithEmptyValues(*app_, options);
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 takes them
  try {
    app_->parse(std::move(reversed));
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return Print(app_->help(), 0);
  } catch (const CLI::CallForAllHelp&) {
    return Print(app_->help("", CLI::AppFormatMode::All), 0);
  } catch (const CLI::ExtrasError&) {
    std::vector<std::string> extra = app_->remaining();
    std::string name = extra.empty() ? "" : extra.front();
    if (!name.starts_with("-")) return Fail(Wrong(*app_, "unexpected argument " + name));
    name = name.substr(0, name.find('='));
    return Fail(Wrong(*app_, "unknown option " + name + DidYouMean(name, NamesOf(*app_))));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string what = error.what();
    const std::string name = what.substr(0, what.find(':'));
    const auto given = std::ranges::count_if(options, [&](const std::string& option) {
      return option == name || option.starts_with(name + "=");
    });
    return Fail(Wrong(*app_, name + (given > 1 ? " can be given only once" : " needs a value")));
  } catch (const CLI::ConversionError& error) {
    std::string what = error.what();
    return Fail(Wrong(*app_, "bad value" + what.substr(std::min(what.size(), what.find(':')))));
  } catch (const CLI::ParseError& error) {
    return Fail(Wrong(*app_, FirstLine(error.what())));
  }
}

std::optional<base::Error> CommandLine::Read(const std::vector<std::string>& words) {
  try {
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    return base::Error{error.what()};
  }
  return std::nullopt;
}

std::vector<CommandLine::Given> CommandLine::AllGiven() const {
  std::vector<Given> all;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    if (option->count() == 0) continue;
    const bool is_flag = option->get_items_expected_max() == 0;
    all.push_back({option->get_name(), is_flag ? std::vector<std::string>() : option->results()});
  }
  return all;
}

bool CommandLine::IsGiven(const std::string& name) const {
  return app_->get_option(name)->count() != 0;
}

}  // namespace heddle::cli
