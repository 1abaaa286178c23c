#!/usr/bin/env python3
"""Man pages and shell completions, made of what `heddle --help` says and of packaging/man/*.in.

Usage: make_pages.py HEDDLE FOLDER

Writes FOLDER/man/*.1.gz and FOLDER/completions/{heddle.bash,_heddle,heddle.fish}. Every option comes from the program
itself, so that none can be missing; tests/cli/test_pages.py looks.
"""

import argparse
import dataclasses
import gzip
import pathlib
import re
import subprocess
import sys

TEMPLATES = pathlib.Path(__file__).resolve().parent / "man"
sys.path.insert(0, str(TEMPLATES.parents[1] / "campaign"))
sys.dont_write_bytecode = True
from heddle_campaign import cli as campaign  # noqa: E402


@dataclasses.dataclass
class Option:
    names: list  # "--out", perhaps after "-h"
    value: str  # how the help calls it, "DIR"; empty: takes none
    help: str
    group: str

    def values(self):
        """What it can be, when that is one of a few words."""
        if "|" in self.value:
            return self.value.split("|")
        # "Which schedule comes next: depth-first (default), random (for ever) or other"
        plain = re.sub(r"\s*\([^()]*\)", "", self.help)
        words = re.search(r": ([\w+-]+(?:, [\w+-]+)* or [\w+-]+)$", plain)
        return re.split(r", | or ", words.group(1)) if words and self.value else []

    def is_path(self):
        return self.value in ("FILE", "DIR", "PATH")

    def short_help(self):
        """The first clause, for a line in a list."""
        text = re.sub(r"\s*\([^()]*\)", "", self.help)
        return re.split(r"[:;]", text)[0].strip()


@dataclasses.dataclass
class Command:
    name: str
    about: str
    usage: str
    options: list
    statuses: str


def ask(heddle, *arguments):
    return subprocess.run([heddle, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def read_command(heddle, name):
    """The help of one command: about, usage, groups of options, exit statuses."""
    text = ask(heddle, name, "--help")
    if "--help-all" in text:
        text = ask(heddle, name, "--help-all")
    about, rest = text.split("\nUsage: ", 1)
    usage, rest = rest.split("\n", 1)
    rest, statuses = rest.split("\nExit status: ", 1)
    options, group = [], ""
    for line in rest.splitlines():
        heading = re.fullmatch(r"(\S.*):", line)
        option = re.match(r"  ((?:-\w,)?--[\w-]+)(?:\[=\S*\])?(?: (\S+))?(?: +(.*))?$", line)
        if heading:
            group = heading.group(1)
        elif option and group != "Positionals":
            names, value, text = option.groups()
            options.append(Option(names.split(","), value or "", text or "", group))
        elif options and line.startswith(" " * 20):  # the help of a long name stands below it
            options[-1].help = f"{options[-1].help} {line.strip()}".strip()
    return Command(name, " ".join(about.split()), usage, options, " ".join(statuses.split()))


def read_commands(heddle):
    names = re.findall(r"^  heddle (\w+) ", ask(heddle, "--help"), re.MULTILINE)
    return [read_command(heddle, name) for name in names]


# ---- man pages ----

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def roff_options(command):
    lines, group = [], None
    several = len({option.group for option in command.options}) > 1
    for option in command.options:
        if several and option.group != group:
            group = option.group
            lines.append(f".SS {'General' if group == 'Options' else roff(group)}")
        names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option.names)
        value = f" \\fI{roff(option.value)}\\fR" if option.value else ""
        lines += [".TP", names + value, roff(option.help) + "."]
    return "\n".join(lines)


def campaign_options():
    """By command, those of heddle-campaign, whose options Python reads."""
    [verbs] = [action for action in campaign.parser()._actions if isinstance(action, argparse._SubParsersAction)]
    options = {}
    for verb, parser in verbs.choices.items():
        lines = []
        for action in parser._actions:
            if action.option_strings:
                value = f" \\fI{roff(action.metavar)}\\fR" if action.metavar else ""
                lines += [".TP", ", ".join(f"\\fB{roff(name)}\\fR" for name in action.option_strings) + value, roff(action.help) + "."]
        options[verb] = "\n".join(lines)
    return options


def roff_statuses(command):
    """Of "0, or 2 when a file cannot be read", "1 bug found, 3 ..."."""
    parts = re.split(r"(?:^|,? ?(?:or )?)\b(\d)(?=[ ,])", command.statuses.rstrip("."))
    if parts[0] or len(parts) < 3:
        raise SystemExit(f"make_pages: cannot read the exit statuses of heddle {command.name}")
    lines = []
    for status, text in zip(parts[1::2], parts[2::2]):
        text = text.strip() or "no error"
        lines += [".TP", f"\\fB{status}\\fR", roff(text[0].upper() + text[1:]) + "."]
    return "\n".join(lines)


def write_man_pages(folder, commands, version):
    for template in sorted(TEMPLATES.glob("*.in")):
        name = template.name[:-len(".in")]
        text = template.read_text().replace("@VERSION@", version)
        for verb, options in campaign_options().items() if name == "heddle-campaign.1" else ():
            text = text.replace(f"@{verb.upper()}@", options)
        for command in commands:
            if name == f"heddle-{command.name}.1":
                text = text.replace("@ABOUT@", roff(command.about)).replace("@OPTIONS@", roff_options(command))
                text = text.replace("@STATUSES@", roff_statuses(command))
        if re.search(r"@[A-Z]+@", text):
            raise SystemExit(f"make_pages: {template.name} asks for what no command has")
        (folder / (name + ".gz")).write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    documented = {path.name for path in TEMPLATES.glob("*.in")}
    for command in commands:
        if f"heddle-{command.name}.1.in" not in documented:
            raise SystemExit(f"make_pages: there is no packaging/man/heddle-{command.name}.1.in")
    link = folder / "heddle-c++.1.gz"
    link.unlink(missing_ok=True)
    link.symlink_to("heddle-cc.1.gz")


# ---- completions ----

BASH = r"""# bash completion for heddle, heddle-cc and heddle-c++. Made by packaging/make_pages.py.
_heddle() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} i
  COMPREPLY=()
  if [[ ${COMP_WORDS[0]##*/} == heddle-c* ]]; then
    [[ $cur == --* ]] && COMPREPLY=($(compgen -W '--heddle-compiler= --heddle-keep-asserts --version --help' -- "$cur"))
    [[ ${COMPREPLY-} == *= ]] && compopt -o nospace
    return
  fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '@COMMANDS@ --help --version' -- "$cur"))
    return
  fi
  local options= with_value= program=
  case $command in
@CASES@
    *) return ;;
  esac
  # bash makes three words of --order=random.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  # What stands after the program is the program's.
  if [[ $program ]]; then
    for ((i = 2; i < COMP_CWORD; ++i)); do
      case ${COMP_WORDS[i]} in
        --) return ;;
        =) ((++i)) ;;
        -*) [[ " $with_value " == *" ${COMP_WORDS[i]} "* && ${COMP_WORDS[i+1]-} != = ]] && ((++i)) ;;
        *) return ;;
      esac
    done
  fi
  case $command$prev in
@VALUES@
  esac
  [[ " $with_value " == *" $prev "* ]] && return
  [[ $cur == -* ]] && COMPREPLY=($(compgen -W "$options" -- "$cur"))
}
complete -o bashdefault -o default -F _heddle heddle heddle-cc heddle-c++
"""


def all_names(options):
    return " ".join(name for option in options for name in option.names)


def bash(commands):
    cases, values = [], []
    for command in commands:
        with_value = [option for option in command.options if option.value]
        program = "program=yes" if "PROG" in command.usage else ""
        cases.append(f"    {command.name})\n      options='{all_names(command.options)}'\n"
                     f"      with_value='{all_names(with_value)}' {program}".rstrip() + "\n      ;;")
        for option in with_value:
            if option.values():
                patterns = "|".join(command.name + name for name in option.names)
                values.append(f"    {patterns}) COMPREPLY=($(compgen -W '{' '.join(option.values())}' -- \"$cur\")); return ;;")
    text = BASH.replace("@COMMANDS@", " ".join(command.name for command in commands))
    return text.replace("@CASES@", "\n".join(cases)).replace("@VALUES@", "\n".join(values))


def zsh_word(text):
    return "'" + re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", r"'\''") + "'"


def zsh_option(option):
    specs = []
    for name in option.names:
        head = name + ("=" if option.value else "") + "[" + re.sub(r"([\[\]:\\])", r"\\\1", option.short_help()) + "]"
        if option.values():
            head += f":{option.value}:({' '.join(option.values())})"
        elif option.is_path():
            head += f":{option.value}:_files" + (" -/" if option.value == "DIR" else "")
        elif option.value:
            head += f":{option.value}: "
        specs.append("'" + head.replace("'", r"'\''") + "'")
    return specs


def zsh(commands):
    lines = ["#compdef heddle heddle-cc heddle-c++", "# Made by packaging/make_pages.py.", "_heddle() {",
             "  if [[ $service == heddle-c* ]]; then",
             "    _arguments '--heddle-compiler=[the compiler behind it]:compiler:_command_names -e' '--heddle-keep-asserts[undo -DNDEBUG]' '*:file:_files'",
             "    return", "  fi", "  local -a commands", "  commands=("]
    lines += [f"    {zsh_word(command.name)[:-1]}:{zsh_word(command.about.split('.')[0])[1:]}" for command in commands]
    lines += ["    '--help:print the commands' '--version:print the version'", "  )", "  if ((CURRENT == 2)); then",
              "    _describe command commands", "    return", "  fi", "  local command=$words[2]", "  shift words",
              "  ((--CURRENT))", "  case $command in"]
    for command in commands:
        rest = (["'(-)1:program:_command_names -e'", "'*::arguments:_normal'"] if "PROG" in command.usage
                else ["'*:file:_files'"])
        specs = [spec for option in command.options for spec in zsh_option(option)]
        # -S: no options of ours after --; -A "-*": nor after the program.
        head = "_arguments -S -A '-*'" if "PROG" in command.usage else "_arguments -S"
        lines.append(f"    {command.name})\n      {head} \\\n        " + " \\\n        ".join(specs + rest) + "\n      ;;")
    return "\n".join(lines + ["  esac", "}", "_heddle \"$@\"", ""])


def fish_word(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(commands):
    names = " ".join(command.name for command in commands)
    lines = ["# fish completion for heddle. Made by packaging/make_pages.py.",
             f"set -l none 'not __fish_seen_subcommand_from {names}'",
             "complete -c heddle -n $none -f",
             "complete -c heddle -n $none -l help -s h -d 'print the commands'",
             "complete -c heddle -n $none -l version -d 'print the version'"]
    for command in commands:
        lines.append(f"complete -c heddle -n $none -a {command.name} -d {fish_word(command.about.split('.')[0])}")
        for option in command.options:
            line = f"complete -c heddle -n '__fish_seen_subcommand_from {command.name}'"
            for name in option.names:
                line += f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}"
            if option.values():
                line += f" -x -a {fish_word(' '.join(option.values()))}"
            elif option.is_path():
                line += " -r -F"
            elif option.value:
                line += " -x"
            lines.append(line + f" -d {fish_word(option.short_help())}")
    for compiler in "heddle-cc", "heddle-c++":
        lines.append(f"complete -c {compiler} -l heddle-compiler -x -a 'gcc clang' -d 'the compiler behind it'")
        lines.append(f"complete -c {compiler} -l heddle-keep-asserts -d 'undo -DNDEBUG'")
    return "\n".join(lines) + "\n"


def main():
    heddle, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    commands = read_commands(heddle)
    version = ask(heddle, "--version").split()[1]
    (folder / "man").mkdir(parents=True, exist_ok=True)
    (folder / "completions").mkdir(parents=True, exist_ok=True)
    write_man_pages(folder / "man", commands, version)
    for name, text in ("heddle.bash", bash(commands)), ("_heddle", zsh(commands)), ("heddle.fish", fish(commands)):
        (folder / "completions" / name).write_text(text)


if __name__ == "__main__":
    main()
