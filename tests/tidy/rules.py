"""The rules, one function each: (tree) -> findings. RULES at the end is the list.

What a table here allows is allowed by a reason that stands beside it. A rule's message says what to do instead.
"""
import ast
import re
import subprocess

from tidy import cpp
from tidy.tree import Finding

LINE_COLUMNS = 120
FILE_LINES = {".h": 300}
FILE_LINES_OTHER = 600
FUNCTION_LINES = 70

# From the ground up; an include never runs upwards. A file directly in sim/ runs one world; search/ runs many.
LAYERS = ["model", "sim/kernel", "sim/scenario", "sim/trace", "sim/faults", "sim/observers", "sim/world", "sim",
          "sim/search", "reports", "cli"]
# Files that stand higher than what they belong to: a run's result is what the observers found.
LAYER_OF_FILE = {"sim/run_result.h": "sim/observers"}
# What looks at the whole house from outside; nobody in the house looks back.
ABOVE_ALL = ("tests/", "bench/")

# Ground files of the model, which Kafka has no counterpart of.
MODEL_GROUND = {"types", "time", "check", "result", "task", "frame_pool", "option_rows", "policies"}

# Model headers stay free of clocks, luck, threads and files.
MODEL_INCLUDES_BANNED = {"random", "fstream", "filesystem", "iostream", "thread", "mutex", "future", "libfccp/csv.h",
                         "boost/program_options.hpp"}

WORLD = ("model/", "sim/")
# (what, where, pattern on the code without comments, what to do instead)
BANS = [
    ("wall clock", WORLD,
     r"\b(?:system_clock|steady_clock|high_resolution_clock|clock_gettime|gettimeofday|std::time)\b",
     "ask the kernel for the simulated time, or take the time as a parameter"),
    ("random_device", WORLD, r"\brandom_device\b|\bs?rand\s*\(\s*(?:\)|time|\w+\s*\)\s*;)|\bdrand48\b",
     "draw from sim/kernel/random.h, keyed by what the draw decides"),
    ("standard distribution", WORLD, r"\bstd::\w+_distribution\b",
     "use Boost's exact uniform_int_distribution or the integer tables of sim/kernel; libraries differ"),
    ("libm", ("model/", "sim/kernel/", "sim/scenario/", "sim/trace/", "sim/faults/", "sim/world/"),
     r"\bstd::(?:exp|exp2|log|log2|log10|pow|sin|cos|tan|cbrt|tgamma|lgamma|erf)\s*\(",
     "use an integer table: libm's results depend on the processor"),
    ("thread", ("model/", "sim/"), r"\bstd::(?:thread|jthread|async)\b",
     "a world is one thread; start threads only where whole worlds run side by side (sim/search)"),
    ("environment", WORLD, r"\b(?:secure_)?getenv\b", "read it in cli/ and pass it as an option"),
    ("unordered container", WORLD, r"\bstd::unordered_\w+",
     "use a vector by dense number, boost::container::flat_map or std::map: iteration order is behaviour"),
    ("order by pointer", WORLD, r"\bstd::(?:multi)?(?:set|map)<\s*(?:const\s+)?[\w:]+\s*(?:const\s*)?\*",
     "order by a number or an id; addresses differ between runs"),
    ("std::function", ("model/", "sim/kernel/"), r"\bstd::(?:move_only_)?function\b",
     "use a template parameter, or a function pointer with its object"),
    ("shared_ptr", ("model/", "sim/kernel/"), r"\bstd::(?:shared_ptr|make_shared|weak_ptr)\b",
     "let the world own it and name it by number or plain pointer"),
    ("catch all", ("model/", "sim/", "reports/", "cli/"), r"\bcatch\s*\(\s*\.\.\.\s*\)",
     "catch the type you can answer; our own mistakes are CHECKs and end the process"),
    ("symmetric transfer", WORLD, r"\bcoroutine_handle\s*<[^;{}()]*>\s*await_suspend\b",
     "return bool from await_suspend: g++ 12 overflows the stack otherwise"),
    ("too new", ("model/", "sim/", "reports/", "cli/", "tests/", "bench/"),
     r"\bstd::(?:source_location|expected|views|ranges::views)\b",
     "clang 14 with this standard library does not have it: write the loop, use model::Result, pass the place"),
]
# The places where worlds run side by side, and what carries a thread's own world.
BAN_EXEMPT = {
    "thread": ("sim/search/",),
    "thread_local": ("model/frame_pool.cc", "model/check.cc"),
}

# Words of an unfinished or machine-bound tree, put together so that this file does not hold them itself.
MARKS = re.compile("|".join((r"\bTO" + "DO", r"\bFIX" + "ME", r"\bX" + r"XX\b", r"\bHA" + r"CK\b")))
MACHINE_PATHS = re.compile("|".join(("/wo" + "rk/", "/ro" + "ot/", "/tmp/ba" + "sh_jobs", r"/ho" + r"me/[a-z]")))
VAGUE_NAMES = re.compile(r"(?:^|_)(?:util|utils|helper|helpers|service|misc|common)(?:_|$)")


def at_line(file, line, rule, message):
    return Finding(file.path, line, rule, message)


def at(file, position, rule, message):
    return Finding(file.path, file.line_of(position), rule, message)


def sizes(tree):
    for file in tree:
        if not file.is_code:
            continue
        allowed = FILE_LINES.get(file.suffix, FILE_LINES_OTHER)
        if len(file.lines) > allowed:
            yield at_line(file, allowed, "file size",
                          f"{len(file.lines)} lines, {allowed} allowed: it holds two ideas; name them and split")
        for number, line in enumerate(file.lines, 1):
            if len(line) > LINE_COLUMNS:
                yield at_line(file, number, "line width", f"{len(line)} columns, {LINE_COLUMNS} allowed")


def function_sizes(tree):
    for file in tree:
        if file.is_cpp:
            spans = [(function.first_line, function.line_count) for function in cpp.functions(file)]
        elif file.suffix == ".py":
            spans = [(node.lineno, node.end_lineno - node.lineno + 1) for node in ast.walk(parsed(file))
                     if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        else:
            continue
        for first_line, count in spans:
            if count > FUNCTION_LINES:
                yield at_line(file, first_line, "function size",
                              f"{count} lines, {FUNCTION_LINES} allowed: give a part a name")


def whitespace(tree):
    for file in tree:
        if not file.is_code and file.suffix not in (".md", ".ini", ".json", ".yml", ".txt"):
            continue
        for number, line in enumerate(file.lines, 1):
            if line != line.rstrip() or "\t" in line:
                yield at_line(file, number, "whitespace", "a tab, or a blank at the end of the line")
        if file.text and not file.text.endswith("\n"):
            yield at_line(file, len(file.lines), "whitespace", "no newline at the end of the file")


def includes(file):
    """(position, path) of what a C++ file includes of ours."""
    pattern = r'(?m)^[ \t]*#[ \t]*include[ \t]*"([^"]+)"'
    return [(match.start(), match.group(1)) for match in re.finditer(pattern, file.code)]


def layer_of(path):
    folder = LAYER_OF_FILE.get(path, path.rpartition("/")[0])
    while folder and folder not in LAYERS:
        folder = folder.rpartition("/")[0]
    return LAYERS.index(folder) if folder else None


def layers(tree):
    for file in tree.cpp():
        own = layer_of(file.path)
        for position, path in includes(file):
            if "/" not in path and path != "build_info.h":
                yield at(file, position, "include path", f'write it from the root: "{file.folder}/{path}"')
            other = layer_of(path)
            if path == "build_info.h" and not file.path.startswith("cli/"):
                yield at(file, position, "layer", "only cli/ may know the build: take it as a parameter")
            elif own is not None and other is not None and other > own:
                yield at(file, position, "layer", f"{LAYERS[own]} may not include {LAYERS[other]}: move the "
                              "declaration down or turn the dependency round")
            elif own is not None and path.startswith(ABOVE_ALL):
                yield at(file, position, "layer", f"{LAYERS[own]} may not include {path}")
        if file.path.startswith("model/"):
            for match in re.finditer(r"(?m)^#include <([^>]+)>", file.code):
                if match.group(1) in MODEL_INCLUDES_BANNED:
                    yield at(file, match.start(), "layer", f"<{match.group(1)}> belongs to sim/: the model has no "
                                  "clock, luck or files")


def include_cycles(tree):
    graph = {file.path: [include for include in includes(file) if tree.get(include[1])] for file in tree.cpp()}
    state = {}

    def visit(path, trail):
        state[path] = "open"
        for position, other in graph[path]:
            if state.get(other) == "open":
                circle = " -> ".join(trail[trail.index(other):] + [other])
                yield at(tree.get(path), position, "include cycle", f"{circle}: declare what is needed instead")
            elif other not in state:
                yield from visit(other, trail + [other])
        state[path] = "done"

    for path in sorted(graph):
        if path not in state:
            yield from visit(path, [path])


def header_guards(tree):
    for file in tree.cpp():
        if file.suffix == ".h" and "#pragma once" not in file.code:
            yield at_line(file, 1, "header guard", "begin with #pragma once")


def fidelity_contract(tree):
    for file in tree.cpp("model/"):
        if file.stem in MODEL_GROUND or (file.suffix == ".cc" and not is_policy_alone(tree, file)):
            continue
        head = re.match(r"(?:\s*#pragma once|\s*//[^\n]*|\s*$)*", file.text, re.MULTILINE).group()
        for words in ("Mirrors:", "Leaves out:"):
            if words not in head:
                yield at_line(file, 1, "fidelity contract", f"the comment at the top must say `{words}` (which class "
                              "of Kafka, which versions; what is missing)")


def is_policy_alone(tree, file):
    return file.path.startswith("model/policies/") and not tree.get(file.path[:-3] + ".h")


def bans(tree):
    for name, where, pattern, instead in BANS:
        for file in tree.cpp(*where):
            if file.path.startswith(BAN_EXEMPT.get(name, ("-",))):
                continue
            for match in re.finditer(pattern, file.code):
                yield at(file, match.start(), f"ban: {name}", instead)


STATIC_VARIABLE = re.compile(
    r"(?m)^[ \t]*(?:inline\s+)?(?:static|thread_local)\s+(?:static\s+|thread_local\s+)?"
    r"(?!const\b|constexpr\b|consteval\b|assert|const_cast)(?P<declaration>[^;{}()=]*)(?P<next>[;{}()=])")


def mutable_statics(tree):
    for file in tree.cpp(*WORLD):
        for match in STATIC_VARIABLE.finditer(file.code):
            if "thread_local" in match.group() and file.path in BAN_EXEMPT["thread_local"]:
                continue
            if match.group("next") == "(" or "operator" in match.group("declaration"):
                continue
            yield at(file, match.start("declaration"), "ban: mutable static",
                          "two worlds would share it: make it const, or a member of what the world owns")


def co_awaits(tree):
    for file in tree.cpp():
        for match in re.finditer(r"\bco_await\b", file.code):
            problem = cpp.co_await_problem(file.code, match.start())
            if problem:
                yield at(file, match.start(), "co_await alone", f"g++ 12 miscompiles a co_await {problem}")
        for position in cpp.capturing_coroutines(file.code):
            yield at(file, position, "capturing coroutine", "the captures die with the lambda: pass them as "
                          "parameters, or write a function")


def folded(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


# (folder, its list without suffix, whether a .cc beside a header of its own needs a line too).
LISTS = [
    ("model/policies/", "model/policies", True),
    ("sim/faults/", "sim/faults/faults", False),
    ("sim/observers/invariants/", "sim/observers/invariants", True),
]


def lists_complete(tree):
    for folder, list_stem, headers_too in LISTS:
        named = "".join(re.sub(r"(?m)^\s*#.*$", "", tree.get(list_stem + suffix).code)
                        for suffix in (".h", ".cc") if tree.get(list_stem + suffix))
        for file in tree.cpp(folder):
            if file.suffix != ".cc" or file.path.startswith(list_stem + "."):
                continue
            if not headers_too and tree.get(file.path[:-3] + ".h"):
                continue
            if folded(file.stem) not in folded(named):
                yield at_line(file, 1, "list", f"{list_stem}.cc does not name {file.stem}: append it there")
    readme = tree.get("scenarios/README.md")
    for file in tree:
        if file.folder == "scenarios" and file.suffix == ".ini":
            if not readme or not re.search(rf"(?<![\w-]){re.escape(file.stem)}(?![\w-])", readme.text):
                yield at_line(file, 1, "list", "scenarios/README.md does not mention it: say there what it shows")


def names(tree):
    for file in tree:
        if file.is_cpp and VAGUE_NAMES.search(file.stem):
            yield at_line(file, 1, "name", "say what it does; nobody is called util, helper, service or common")


def unfinished(tree):
    for file in tree:
        if not file.is_code:
            continue
        for match in MARKS.finditer(file.text):
            yield at(file, match.start(), "unfinished", f"{match.group()}: finish it, or name the issue that will")


def machine_paths(tree):
    for file in tree:
        for match in MACHINE_PATHS.finditer(file.text):
            yield at(file, match.start(), "machine path", f"{match.group()}...: write it relative to the root")


def parsed(file):
    try:
        return ast.parse(file.text)
    except (SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])


def python(tree):
    for file in tree:
        if not file.is_python:
            continue
        try:
            module = ast.parse(file.text)
        except (SyntaxError, ValueError) as error:
            yield at_line(file, getattr(error, "lineno", 1) or 1, "python", f"does not parse: {error}")
            continue
        if not ast.get_docstring(module) and file.text.strip():
            yield at_line(file, 1, "python", "say at the top what the file is for")
        imported = {}
        for node in ast.walk(module):
            if isinstance(node, ast.ExceptHandler) and node.type is None:
                yield at_line(file, node.lineno, "python", "name the exception that you can answer")
            if isinstance(node, ast.keyword) and node.arg == "shell" and getattr(node.value, "value", None) is True:
                yield at_line(file, node.value.lineno, "python", "give the command as a list, without a shell")
            if isinstance(node, ast.arguments):
                for value in node.defaults + node.kw_defaults:
                    if isinstance(value, (ast.List, ast.Dict, ast.Set)):
                        yield at_line(file, value.lineno, "python", "a default is made once: use None or a tuple")
            if isinstance(node, (ast.Import, ast.ImportFrom)) and getattr(node, "module", "") != "__future__":
                for alias in node.names:
                    imported[(alias.asname or alias.name).partition(".")[0]] = node.lineno
        used = {node.id for node in ast.walk(module) if isinstance(node, ast.Name)}
        exported = re.search(r"__all__", file.text) or file.name == "__init__.py"
        for name, line in imported.items():
            if name not in used and not exported:
                yield at_line(file, line, "python", f"{name} is imported and not used")


def shell(tree):
    for file in tree:
        if not file.is_shell:
            continue
        if not file.text.startswith("#!/usr/bin/env bash\n"):
            yield at_line(file, 1, "shell", "begin with #!/usr/bin/env bash")
        if not re.search(r"(?m)^set -euo pipefail$", file.text):
            yield at_line(file, 1, "shell", "stop at the first failure: set -euo pipefail")
        if not file.executable and file.folder not in ("scripts", "tests/cli"):
            yield at_line(file, 1, "shell", "make it executable")
        try:
            read = subprocess.run(["bash", "-n"], input=file.text, text=True, capture_output=True, check=False)
        except FileNotFoundError:
            continue
        if read.returncode:
            message = (read.stderr.strip() or "no reason given").splitlines()[0]
            yield at_line(file, 1, "shell", f"bash cannot read it: {message}")


RULES = [sizes, function_sizes, whitespace, layers, include_cycles, header_guards, fidelity_contract, bans,
         mutable_statics, co_awaits, lists_complete, names, unfinished, machine_paths, python, shell]
