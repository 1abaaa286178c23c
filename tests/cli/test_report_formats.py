"""heddle report as HTML, SARIF and JUnit XML: of real findings, of what programs put into their messages, of a very long
schedule; into files that can and that cannot be written. The page is tried in headless Chromium where that is installed.

HEDDLE_SARIF_SCHEMA names a copy of the official schema (sarif-schema-2.1.0.json of OASIS, whose terms do not let it be part
of this repository) to validate against; always, the log is held to sarif_subset.schema.json, which was written for this test."""

import html.parser
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

from heddle_run import SECONDS, Case, read_json

CLEAN = "int main() { return 0; }"
HOSTILE = """
#include "run_threads.h"
static int count;
static void *Add(void *arg) { count++; return arg; }
int main(int argc, char **argv) { (void)argc; (void)argv; RunSame(2, Add); }
"""
VOID = {"meta", "input", "br", "link"}


class Checker(html.parser.HTMLParser):
    """Is every element closed, every id there once, and every link's target there?"""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.ids, self.targets, self.headings = [], [], [], [], []
        self.feed(text)
        self.wrong += [f"<{tag}> is not closed" for tag in self.open]
        self.wrong += [f"id {name} is there twice" for name in set(self.ids) if self.ids.count(name) > 1]
        self.wrong += [f"nothing has id {name}" for name in self.targets if name not in self.ids]
        for before, after in zip([0, *self.headings], self.headings):
            if after > before + 1:
                self.wrong.append(f"h{after} follows h{before}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if attributes.get("href", "").startswith("#"):
            self.targets.append(attributes["href"][1:])
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        if attributes.keys() & {"src", "srcset", "data", "action"} or not attributes.get("href", "#").startswith("#"):
            self.wrong.append(f"<{tag}> is fetched from elsewhere")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing")


def validate(value, schema, whole, path="$"):
    """What of `value` is not as the schema says; as much of JSON Schema as both schemas need."""
    schema = resolve(schema, whole)
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(is_a(kind, value) for kind in kinds):
        return [f"{path}: not of type {kinds}"]
    wrong = []
    if "enum" in schema and value not in schema["enum"]:
        wrong.append(f"{path}: {value!r} is none of {schema['enum']}")
    if isinstance(value, (int, float)) and value < schema.get("minimum", value):
        wrong.append(f"{path}: {value} is less than {schema['minimum']}")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        wrong += [f"{path}: no {name}" for name in schema.get("required", []) if name not in value]
        for name, part in value.items():
            other = schema.get("additionalProperties", True)
            if name in known:
                wrong += validate(part, known[name], whole, f"{path}.{name}")
            elif other is False:
                wrong.append(f"{path}: {name} is not known")
            elif isinstance(other, dict):
                wrong += validate(part, other, whole, f"{path}.{name}")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            wrong.append(f"{path}: too few items")
        if schema.get("uniqueItems") and len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
            wrong.append(f"{path}: an item is there twice")
        for at, item in enumerate(value):
            wrong += validate(item, schema.get("items", {}), whole, f"{path}[{at}]")
    if "anyOf" in schema and all(validate(value, one, whole, path) for one in schema["anyOf"]):
        wrong.append(f"{path}: none of anyOf holds")
    return wrong


def is_a(kind, value):
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float),
             "null": type(None)}
    return isinstance(value, types[kind]) and (kind == "boolean" or not isinstance(value, bool))


def resolve(schema, whole):
    if "$ref" in schema:
        for part in schema["$ref"].removeprefix("#/").split("/"):
            whole = whole[part]
        return whole
    return schema


case = Case(sys.argv[1])
folder = pathlib.Path(__file__).resolve().parent
schemas = [folder / "sarif_subset.schema.json"]
if "HEDDLE_SARIF_SCHEMA" in os.environ:
    schemas.append(pathlib.Path(os.environ["HEDDLE_SARIF_SCHEMA"]))


def expect_good_page(what, name, done):
    page = (case.path / name).read_text()
    wrong = Checker(page).wrong
    case.expect(f"{what}: the page is well-formed {wrong or ''}", done.status == 0 and not wrong, done)
    return page


def expect_good_sarif(what, name, done):
    log = read_json(case.path / name)
    for path in schemas:
        schema = read_json(path)
        wrong = validate(log, schema, schema)[:5]
        case.expect(f"{what}: SARIF by {path.name} {wrong or ''}", done.status == 0 and not wrong, done)
    return log["runs"][0]


# Results: three examples, a clean one, one with a hostile name and arguments.
results = []
for example in "01_bank_account", "03_transfer_deadlock", "05_lock_free_stack":
    source = case.source / "examples" / f"{example}.cpp"
    program = case.compile(example, source.read_text(), compiler="heddle-c++")
    results.append(f"{example}.json")
    done = case.heddle("check", "--json", results[-1], program)
    case.expect(f"{example} has a bug", done.status == 1, done)
done = case.heddle("check", "--json", "clean.json", case.compile("clean", CLEAN))
case.expect("a clean program", done.status == 0, done)
hostile = case.compile("has spaces & <b>", HOSTILE)
done = case.heddle("check", "--json", "hostile.json", hostile, "</script><!--", "\x1b[31m", "ü\u202e")
case.expect("a program with a hostile name", done.status == 1, done)
everything = [*results, "clean.json", "hostile.json"]

# HTML.
done = case.heddle("report", "--html", "-o", "all.html", *everything)
page = expect_good_page("five results", "all.html", done)
case.expect("an index with a link to every result", all(f'href="#r{n}"' in page for n in range(1, 6)), done)
case.expect("control characters are written out", "\\x1b[31m" in page and "\\u202e" in page and "\x1b" not in page, done)
case.expect("nothing is printed beside the file", done.out + done.err == "", done)
done = case.heddle("report", "--format", "html", "clean.json")
case.expect("--format html on standard output", done.status == 0 and done.out.startswith("<!DOCTYPE html>"), done)
data = json.loads(page.split('id="heddle-data">')[1].split("</script>")[0])
lines = data["files"][0]["lines"]
case.expect("the sources are in it", any("@overdrawn" in line for line in lines.values()), done)

# SARIF.
done = case.heddle("report", "--sarif", "-o", "all.sarif", "--root", case.path, *everything)
run = expect_good_sarif("five results", "all.sarif", done)
case.expect("a result for each bug, an invocation for each file", len(run["invocations"]) == 5
            and sorted({r["ruleId"] for r in run["results"]}) == ["assertion", "data-race", "deadlock"], done)
places = [l["physicalLocation"]["artifactLocation"] for r in run["results"] for l in r["locations"]]
case.expect("below the root, encoded", {"uri": "01_bank_account.cpp", "uriBaseId": "%SRCROOT%"} in places
            and {"uri": "has%20spaces%20%26%20%3Cb%3E.c", "uriBaseId": "%SRCROOT%"} in places, done)
for result in run["results"]:
    orders = [l["executionOrder"] for f in result["codeFlows"][0]["threadFlows"] for l in f["locations"]]
    case.expect(f"{result['ruleId']}: a flow for each thread, every step in its order",
                sorted(orders) == list(range(1, len(orders) + 1))
                and len(result["codeFlows"][0]["threadFlows"]) >= 2, done)

# JUnit.
done = case.heddle("report", "--junit", *everything)
suites = xml.fromstring(done.out)
case.expect("JUnit: five suites with a testcase each", [len(s.findall("testcase")) for s in suites] == [1] * 5
            and suites.get("failures") == "4" and suites.get("errors") == "0", done)
case.expect("JUnit: the failure has the report", "heddle replay" in suites[0].find("testcase/failure").text
            and suites[3].find("testcase/failure") is None, done)

# An uncontrolled result; one whose finding has no steps; ten thousand steps by two hundred threads.
answer = read_json(case.path / results[0])
answer["bugs"][0]["steps"] = []
(case.path / "no_steps.json").write_text(json.dumps(answer))
(case.path / "uncontrolled.json").write_text(json.dumps({**answer, "verdict": "uncontrolled", "bugs": []}))
for name in "no_steps", "uncontrolled":
    expect_good_page(name, f"{name}.html", case.heddle("report", "--html", "-o", f"{name}.html", f"{name}.json"))
    expect_good_sarif(name, f"{name}.sarif", case.heddle("report", "--sarif", "-o", f"{name}.sarif", f"{name}.json"))
done = case.heddle("report", "--junit", "uncontrolled.json")
case.expect("JUnit: uncontrolled is an error", xml.fromstring(done.out).find(".//error") is not None, done)
race = read_json(case.path / "hostile.json")
template = "Deep<" * 400 + "int" + ">" * 400
steps = [{"thread": f"T{n % 200}", "operation": "MutexLock", "text": f"locks mutex m{n % 7}", "object": f"mutex m{n % 7}",
          "location": {"file": str(case.path / "clean.c"), "line": 1, "function": template}, "source": "", "marks": []}
         for n in range(10000)]
steps[3000]["marks"], steps[9000]["marks"], steps[9900]["marks"] = ["race-first"], ["preempts"], ["race-second"]
race["bugs"] = [{**race["bugs"][0], "steps": steps}]
(case.path / "long.json").write_text(json.dumps(race))
done = case.heddle("report", "--html", "-o", "long.html", "long.json")
page = expect_good_page("10,000 steps", "long.html", done)
case.expect("10,000 steps: every text once", page.count(template.replace("<", "\\u003c").replace(">", "\\u003e")) == 1
            and len(page) < 2_000_000, done)
expect_good_sarif("10,000 steps", "long.sarif", case.heddle("report", "--sarif", "-o", "long.sarif", "long.json"))

# What users get wrong: one line, status 2, and no file, or the old one.
def refused(what, words, *arguments):
    done = case.heddle("report", *arguments)
    case.expect(what, done.status == 2 and len(done.lines()) == 1 and all(w in done.err for w in words), done)


(case.path / "old.html").write_text("old")
refused("two formats", ["--sarif", "--html"], "--html", "--sarif", "clean.json")
refused("a format and its short spelling", ["--html", "--format"], "--html", "--format", "text", "clean.json")
refused("a format that is not there", ["pdf"], "--format", "pdf", "clean.json")
refused("an output in a folder that is not there", ["nowhere"], "--html", "-o", "/nowhere/page.html", "clean.json")
refused("an output that is a folder", [str(case.path)], "--html", "-o", case.path, "clean.json")
refused("an output over an input", ["clean.json", "reads"], "--html", "-o", "./clean.json", "clean.json")
refused("an input that is not there", ["none.json"], "--html", "-o", "old.html", "none.json")
refused("an input that is no result", ["all.html"], "--html", "-o", "old.html", "all.html")
case.expect("and the old file is whole", (case.path / "old.html").read_text() == "old", done)
before = set(os.listdir(case.path))
done = case.heddle("report", "--html", "-o", "big.html", "long.json",
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
case.expect("a file that is cut off is not left behind", done.status == 2 and "big.html" in done.err
            and set(os.listdir(case.path)) == before, done)

# In a browser: the script runs to its end, and does what its controls say.
TRY = """<script>
const said = [];
addEventListener("error", (event) => said.push(event.message));
const rows = () => document.querySelectorAll("tr.step").length;
if (document.documentElement.dataset.drawn !== "1") said.push("not drawn");
const at_first = rows();
if (at_first < 40 || at_first > 100) said.push(`${at_first} rows at first`);
if (document.querySelectorAll(".switch .arrow").length !== 1) said.push("no arrow");
if (!document.querySelector(".race-from .dot") || !document.querySelector(".race-to .dot")) said.push("no line of the race");
if (document.querySelectorAll(".lane-name").length > 13) said.push("too many lanes");
document.querySelector("button.more").click();
if (rows() <= at_first) said.push("nothing more is shown");
document.querySelector("input[type=checkbox]").click();
if (document.querySelectorAll(".lane-name").length !== 200) said.push("not all lanes");
const choose = (at, value) => {
  const select = document.querySelectorAll("select")[at];
  select.value = value;
  select.dispatchEvent(new Event("change"));
};
choose(0, "5");
if (rows() !== 50) said.push(`${rows()} rows of one thread`);
choose(0, "-1");
choose(1, document.querySelectorAll("select")[1].options[1].value);
if (rows() !== 500) said.push(`${rows()} rows of one object`);
const button = document.querySelector("button.open");
button.click();
if (!document.querySelector("tr.detail .pane") || button.getAttribute("aria-expanded") !== "true") said.push("no details");
location.hash = "#r1f1-s5001";
setTimeout(() => {
  if (!document.getElementById("r1f1-s5001")) said.push("a link to a step is not followed");
  if (document.documentElement.scrollWidth > innerWidth) said.push(`the page scrolls sideways: ${document.documentElement.scrollWidth}`);
  document.body.textContent = `SAID ${JSON.stringify(said)}`;
}, 200);
</script>"""
browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if not browser:
    print("skipped: no chromium")
else:
    (case.path / "try.html").write_text(page.replace("</body>", TRY + "</body>"))
    for width in 360, 1400:
        command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={case.path / 'profile'}",
                   f"--window-size={width},900", "--virtual-time-budget=10000", "--dump-dom", f"file://{case.path}/try.html"]
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=2 * SECONDS)
        said = ran.stdout.partition("SAID ")[2].partition("<")[0]
        case.expect(f"in a browser, {width} pixels wide: {said or ran.stdout[-300:]}", said.strip() == "[]", done)
case.finish()
