"""What the scripts that plant errors (agree/planted_errors.py, oracle/planted_errors.py) have in common.

A planted error is a name and, first of what follows it, a file below `root`, what stands there (once, as a regular
expression), and what stands there instead.
"""

import pathlib
import re

SRC = pathlib.Path(__file__).resolve().parent.parent / "src"


def add_arguments(parser):
    parser.add_argument("--check", action="store_true", help="only look for the places of the errors")
    parser.add_argument("names", nargs="*", metavar="NAME")


def parse_built(parser, names):
    """The arguments of a script that plants errors into a build, --build, which only --check does without."""
    parser.add_argument("--build", type=pathlib.Path)
    add_arguments(parser)
    arguments = parser.parse_args()
    if not arguments.check and arguments.build is None:
        parser.error("--build is missing")
    require_known(parser, arguments.names, names)
    return arguments


def require_known(parser, wanted, names):
    """Ends the script if one of the names that are `wanted` is none of `names`."""
    unknown = set(wanted) - set(names)
    if unknown:
        parser.error(f"no planted error {', '.join(sorted(unknown))}; there are {', '.join(names)}")


def plant(root, name, file, pattern, replacement):
    """The file with the error, and what is wrong with that."""
    path = root / file
    shown = path.relative_to(SRC.parent)
    before = path.read_text()
    text, count = re.subn(pattern, replacement, before)
    if count != 1:
        return text, f"{name}: '{pattern}' stands {count} times in {shown}; adapt PLANTED to it"
    return text, f"{name}: changes nothing in {shown}" if text == before else ""


def check_places(root, errors):
    """Does each of `errors` find its place? Answers the script's exit status."""
    wrong = [found for error in errors if (found := plant(root, *error)[1])]
    print("\n".join(wrong) or f"{len(errors)} errors find their places")
    return 1 if wrong else 0
