"""Planted violations: every rule must catch each of its own, at its line, and must let the good shapes pass."""
import dataclasses
import textwrap

from tidy.rules import BANS, RULES
from tidy.tree import File, Tree

HEAD = "#pragma once\n"


@dataclasses.dataclass(frozen=True)
class Plant:
    """One violation: the file that holds it (and others it needs), and the finding that must come."""
    rule: str
    path: str
    text: str
    line: int = 1
    others: tuple = ()
    executable: bool = False


def body(statement):
    """A coroutine with one statement, which stands in line 2."""
    return f"Task<void> f() {{\n  {statement}\n}}\n"


def coroutine(statement):
    return Plant("co_await alone", "sim/world/a.cc", body(statement), 2)


def ban(name, path, statement):
    return Plant(f"ban: {name}", path, f"void f() {{\n  {statement}\n}}\n", 2)


WORD = "TO" + "DO"
PLANTS = [
    Plant("file size", "sim/world/a.cc", "int a;\n" * 601, 600),
    Plant("file size", "sim/world/a.h", HEAD + "int a;\n" * 300, 300),
    Plant("file size", "tests/a.py", '"""A."""\n' + "a = 1\n" * 600, 600),
    Plant("line width", "sim/world/a.cc", "int a;\n// " + "x" * 118 + "\n", 2),
    Plant("function size", "sim/world/a.cc", "namespace sim {\n\nint f(int a) {\n" + "  ++a;\n" * 69 + "}\n\n}\n", 3),
    Plant("function size", "sim/world/a.cc", "struct A {\n  A() : b_{1}, c_(2) {\n" + "++b_;\n" * 70 + "  }\n};\n", 2),
    Plant("function size", "tests/model/a_test.cc", "BOOST_AUTO_TEST_CASE(a) {\n" + "  f();\n" * 69 + "}\n", 1),
    Plant("function size", "tests/a.py", '"""A."""\n\n\ndef f():\n' + "    g()\n" * 70, 4),
    Plant("whitespace", "sim/world/a.cc", "int a; \n"),
    Plant("whitespace", "sim/world/a.cc", "int b;\n\tint a;\n", 2),
    Plant("whitespace", "scenarios/README.md", "# A\n\nno newline", 3),
    Plant("include path", "sim/world/a.cc", '#include "b.h"\n'),
    Plant("layer", "model/a.cc", '#include "sim/kernel/kernel.h"\n'),
    Plant("layer", "model/policies/a.cc", '\n#include "reports/csv.h"\n', 2, (("model/policies.cc", "int a;\n"),)),
    Plant("layer", "sim/search/a.cc", '#include "reports/csv.h"\n'),
    Plant("layer", "sim/kernel/a.cc", '#include "sim/world/world.h"\n'),
    Plant("layer", "sim/trace/a.cc", '#include "sim/faults/fault.h"\n'),
    Plant("layer", "sim/world/a.cc", '#include "sim/run.h"\n'),
    Plant("layer", "sim/trace/a.cc", '#include "sim/run_result.h"\n'),
    Plant("layer", "reports/a.cc", '#include "cli/cli.h"\n'),
    Plant("layer", "reports/a.cc", '#include "build_info.h"\n'),
    Plant("layer", "sim/world/a.cc", '#include "tests/support/worlds.h"\n'),
    Plant("layer", "model/a.cc", "#include <fstream>\n"),
    Plant("include cycle", "sim/world/b.h", HEAD + '#include "sim/world/a.h"\n', 2,
          (("sim/world/a.h", HEAD + '#include "sim/world/b.h"\n'),)),
    Plant("header guard", "sim/world/a.h", "int a;\n"),
    Plant("fidelity contract", "model/copy_task.h", HEAD + "// Mirrors: RLMCopyTask.\nint a;\n"),
    Plant("fidelity contract", "model/copy_task.h", HEAD + "int a;\n// Mirrors: this. Leaves out: that.\n"),
    Plant("fidelity contract", "model/policies/kafka.cc", "int kafka;\n", 1, (("model/policies.cc", "int kafka;\n"),)),
    ban("wall clock", "sim/world/a.cc", "auto t = std::chrono::steady_clock::now();"),
    ban("wall clock", "model/a.cc", "auto t = std::chrono::system_clock::now();"),
    ban("wall clock", "sim/search/a.cc", "auto t = std::chrono::high_resolution_clock::now();"),
    ban("random_device", "sim/kernel/a.cc", "std::random_device device;"),
    ban("random_device", "sim/kernel/a.cc", "int a = rand();"),
    ban("standard distribution", "sim/kernel/a.cc", "std::uniform_int_distribution<int> d;"),
    ban("libm", "sim/world/a.cc", "double a = std::log(2.0);"),
    ban("thread", "sim/world/a.cc", "std::thread t;"),
    ban("environment", "sim/scenario/a.cc", 'auto a = std::getenv("A");'),
    ban("unordered container", "model/a.cc", "std::unordered_map<int, int> a;"),
    ban("order by pointer", "sim/world/a.cc", "std::set<const Broker*> a;"),
    ban("std::function", "model/a.cc", "std::function<void()> a;"),
    ban("shared_ptr", "sim/kernel/a.cc", "auto a = std::make_shared<int>(1);"),
    ban("catch all", "sim/world/a.cc", "try { f(); } catch (...) {}"),
    ban("symmetric transfer", "model/a.cc", "std::coroutine_handle<> await_suspend(std::coroutine_handle<> p);"),
    ban("too new", "sim/world/a.cc", "std::source_location here;"),
    ban("mutable static", "sim/world/a.cc", "static int count = 0;"),
    ban("mutable static", "model/a.cc", "static std::vector<int> cache;"),
    ban("mutable static", "sim/world/a.cc", "thread_local int count;"),
    coroutine("auto x = c ? co_await a() : co_await b();"),
    coroutine("auto x = co_await a() ? 1 : 2;"),
    coroutine("bool x = ready && co_await a();"),
    coroutine("co_await a() || fail();"),
    coroutine("if (co_await a()) g();"),
    coroutine("if (auto x = co_await a()) g();"),
    coroutine("if (auto x = b(); co_await a()) g();"),
    coroutine("if ((co_await a()).value == 3) g();"),
    coroutine("while (co_await a()) g();"),
    coroutine("switch (co_await a()) {}"),
    coroutine("for (auto x : co_await a()) g();"),
    coroutine("Options x{.a = co_await a()};"),
    coroutine("std::vector v{co_await a(), co_await b()};"),
    coroutine("g(co_await a());"),
    coroutine("co_await a(Options{1, 2});"),
    coroutine("auto x = co_await a(1, {.name = n});"),
    coroutine("co_await store.put(model::Metadata{m});"),
    Plant("capturing coroutine", "tests/sim/a_test.cc", body("auto g = [&]() -> Task<void> { co_return; };"), 2),
    Plant("capturing coroutine", "sim/world/a.cc", body("auto g = [this, n](int a) { co_await wait(a); };"), 2),
    Plant("list", "model/policies/kafka_3_6.cc", "// Mirrors: x. Leaves out: y.\n", 1,
          (("model/policies.cc", '#include "model/policies/kafka_3_6.h"\n'),)),
    Plant("list", "sim/faults/store_slow.cc", "int a;\n", 1, (("sim/faults/faults.cc", "// store_slow\n"),)),
    Plant("list", "sim/observers/invariants/no_loss.cc", "int a;\n", 1, (("sim/observers/invariants.cc", "int b;\n"),)),
    Plant("list", "scenarios/quiet.ini", "[scenario]\n", 1, (("scenarios/README.md", "- quiet-too\n"),)),
    Plant("name", "sim/world/string_util.h", HEAD),
    Plant("unfinished", "sim/world/a.cc", f"int a;\n// {WORD}: more\n", 2),
    Plant("machine path", "docs/a.md", "See /ro" + "ot/a.\n"),
    Plant("machine path", "README.md", "\nIn /wo" + "rk/main.\n", 2),
    Plant("python", "tests/a.py", '"""A."""\ntry:\n    f()\nexcept:\n    pass\n', 4),
    Plant("python", "tests/a.py", '"""A."""\nimport os\n', 2),
    Plant("python", "tests/a.py", '"""A."""\nrun(a, shell=True)\n', 2),
    Plant("python", "tests/a.py", '"""A."""\n\n\ndef f(a=[]):\n    return a\n', 4),
    Plant("python", "tests/a.py", "def f(:\n"),
    Plant("python", "tests/a.py", "a = 1\n"),
    Plant("shell", "scripts/a.sh", "#!/bin/sh\nset -euo pipefail\n"),
    Plant("shell", "scripts/a.sh", "#!/usr/bin/env bash\necho\n"),
    Plant("shell", "scripts/a.sh", "#!/usr/bin/env bash\nset -euo pipefail\nif\n"),
    Plant("shell", "dev", "#!/usr/bin/env bash\nset -euo pipefail\n"),
]

# What must pass: every allowed shape of what the rules look at.
CLEAN = {
    "model/types.h": HEAD + '#include <cstdint>\nconstexpr int million = 1\'000\'000;\nconst char quote = \'"\';\n',
    "model/copy_task.h": "// Copies.\n//\n// Mirrors: RLMCopyTask, 3.6 to 4.3.\n// Leaves out: the quota.\n" + HEAD
                         + '#include "model/types.h"\n',
    "model/policies.cc": "constexpr std::array list{&kafka_3_6, &kip_dangling};\n",
    "model/policies/kafka_3_6.cc": "// Mirrors: RLMCopyTask of 3.6.\n// Leaves out: nothing.\n",
    "model/frame_pool.cc": "thread_local FreeLists lists;\n",
    "sim/faults/faults.cc": '#include "sim/faults/store_slow.h"\nconstexpr std::array list{&store_slow};\n',
    "sim/faults/store_slow.cc": '#include "model/types.h"\n#include "sim/trace/trace.h"\n',
    "sim/faults/row_values.h": HEAD,
    "sim/faults/row_values.cc": "int a;\n",
    "sim/run_result.h": HEAD + '#include "sim/observers/ledger.h"\n',
    "sim/observers/judge.h": HEAD + '#include "sim/run_result.h"\n',
    "sim/run.cc": '#include "sim/world/world.h"\n',
    "sim/world/world.h": HEAD + '#include "sim/run_result.h"\n',
    "sim/search/campaign.cc": "void f() { std::jthread thread; }\n",
    "cli/version.cc": '#include "build_info.h"\n',
    "scenarios/README.md": "| `quiet` | nothing happens |\n",
    "scenarios/quiet.ini": "[scenario]\n",
    "sim/world/good.cc": textwrap.dedent("""\
        // steady_clock and std::function in a comment, and "std::thread" in a text, are no use of them.
        const char* text = "std::thread /* no comment */ // none";
        const char* raw = R"(std::unordered_map co_await a(X{1}))";
        static constexpr int answer = 42;
        static const std::array table{1, 2, 3};
        static void* operator new(std::size_t size);
        static Reply from_argument(std::uint64_t argument) { return Reply{argument}; }

        Task<Result<void, Error>> Copier::copy(Segment segment) {
          auto x = co_await f(a, b);
          if (auto y = co_await f(x); !y) co_return Failed(y.error());
          if (auto z = co_await f(x); !z || z->failed) {
            (void)co_await clean_up(segment);
          } else {
            x = co_await f(c ? 1 : 2, a && b);
          }
          for (int i = 0; i < 3; ++i) co_await kernel_.sleep(Duration{5});
          while (true) {
            auto&& moved = co_await port_.take(std::move(x));
            if (!moved) break;
          }
          switch (x.kind) {
            case Kind::one: {
              co_await f(Offset{3}, [this](int a) { return a; });
              break;
            }
            case Kind::two:
              co_await g();
          }
          auto plain = [&](int a) { return a + x; };
          auto task = [](Scope& scope) -> Task<void> { co_await scope.wait(); };
          co_return co_await last(plain(1));
        }

        struct Holder {
          int value{};
          Holder() : value{1}, other_(2) {}
          template <class T>
          Task<T> wait() const {
            const T t = co_await inner_;
            co_return t;
          }
          int other_;
        };
        """) + "const Row rows[] = {\n" + "    {1, f(2)},\n" * 80 + "};\n",
    "tests/a.py": '"""A."""\nimport os.path\n\nprint(os.path.sep)\n',
    "scripts/a.sh": "#!/usr/bin/env bash\nset -euo pipefail\n",
}


def found_in(files, executables=()):
    tree = Tree([File(path, text, path in executables) for path, text in files.items()])
    return [finding for rule in RULES for finding in rule(tree)]


def check_plant(plant):
    """What went wrong with one plant, or nothing."""
    files = dict(plant.others)
    files[plant.path] = plant.text
    found = found_in(files, (plant.path,) if plant.executable else ())
    if any((finding.rule, finding.path, finding.line) == (plant.rule, plant.path, plant.line) for finding in found):
        return None
    instead = [str(finding) for finding in found]
    return f"not caught: {plant.rule} at {plant.path}:{plant.line}\n{plant.text[:400]}\nfound instead: {instead}"


def check():
    """Prints what was not caught, or caught wrongly; returns the number of failures."""
    problems = [problem for problem in map(check_plant, PLANTS) if problem]
    problems += [f"caught without reason: {finding}" for finding in found_in(CLEAN)]
    planted = {plant.rule for plant in PLANTS}
    problems += [f"no violation is planted for the ban '{name}'" for name, *_ in BANS if f"ban: {name}" not in planted]
    for problem in problems:
        print(problem)
    # One case a plant, one for the good shapes, one for the bans being complete.
    print(f"{len(PLANTS) + 2 - len(problems)} passed, {len(problems)} failed")
    return len(problems)
