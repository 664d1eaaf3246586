"""The files that the rules look at, and C++ without its comments and texts."""
import dataclasses
import functools
import pathlib
import re
import stat
import subprocess

CODE_SUFFIXES = {".h", ".cc", ".py", ".sh", ".cmake"}
SHELL_FILES = {"dev", ".ci/run", "cluster/slurm/part.sbatch"}
PYTHON_FILES = {"cluster/slurm/campaign"}
SKIPPED_FOLDERS = ("build/", "flotsam-out/", ".git/")


@dataclasses.dataclass(frozen=True)
class Finding:
    """One place that breaks a rule, with what to do instead."""
    path: str
    line: int
    rule: str
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule}: {self.message}"


@dataclasses.dataclass(frozen=True)
class File:
    """One text file of the tree."""
    path: str
    text: str
    executable: bool = False

    @property
    def name(self):
        return self.path.rsplit("/", 1)[-1]

    @property
    def folder(self):
        return self.path.rpartition("/")[0]

    @property
    def stem(self):
        return self.name.partition(".")[0]

    @property
    def suffix(self):
        return "".join(pathlib.PurePosixPath(self.path).suffixes[-1:])

    @property
    def is_cpp(self):
        return self.suffix in (".h", ".cc")

    @property
    def is_shell(self):
        return self.suffix == ".sh" or self.path in SHELL_FILES

    @property
    def is_python(self):
        return self.suffix == ".py" or self.path in PYTHON_FILES

    @property
    def is_code(self):
        return (self.suffix in CODE_SUFFIXES or self.path in SHELL_FILES | PYTHON_FILES
                or self.name == "CMakeLists.txt")

    @functools.cached_property
    def lines(self):
        return self.text.splitlines()

    @functools.cached_property
    def code(self):
        """C++ with comments and the insides of texts blanked out: the same length and the same lines."""
        return without_comments_and_texts(self.text)

    def line_of(self, position):
        return self.text.count("\n", 0, position) + 1


class Tree:
    """All files by path. Tests make one from a dictionary; nothing is read after that."""

    def __init__(self, files):
        self.files = {file.path: file for file in files}

    def __iter__(self):
        return iter(self.files.values())

    def get(self, path):
        return self.files.get(path)

    def cpp(self, *folders):
        return [file for file in self if file.is_cpp and (not folders or file.path.startswith(folders))]


def read_tree(root):
    """Tracked files and those about to be; without git, what lies in the folder."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        paths = [path for path in listed.stdout.split("\0") if path]
    else:
        paths = [path.relative_to(root).as_posix() for path in root.rglob("*")]
    files = []
    for path in sorted(set(paths)):
        place = root / path
        if path.startswith(SKIPPED_FOLDERS) or not place.is_file() or place.is_symlink():
            continue
        content = place.read_bytes()
        if b"\0" in content:
            continue
        executable = bool(place.stat().st_mode & stat.S_IXUSR)
        files.append(File(path, content.decode("utf-8", errors="surrogateescape"), executable))
    return Tree(files)


TOKEN = re.compile(
    r'//[^\n]*'
    r'|/\*.*?\*/'
    r'|\b(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'
    r'|"(?:\\.|[^"\\\n])*"'
    # A ' between digits separates thousands.
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'",
    re.DOTALL)


def without_comments_and_texts(text):
    def blank(match):
        token = match.group()
        kept = token[0] in "\"'" or token[-1] == '"'
        inside = re.sub(r"[^\n]", " ", token)
        # The path of an #include is not a text.
        line_start = text.rfind("\n", 0, match.start()) + 1
        if text[line_start:match.start()].lstrip().startswith("#include"):
            return token
        return f'"{inside[1:-1]}"' if kept and len(token) > 1 else inside
    return TOKEN.sub(blank, text)


OPENERS, CLOSERS = "([{", ")]}"


def matching_close(code, opening):
    """Position of the bracket that closes the one at `opening`; the end of the text when there is none."""
    depth = 0
    for position in range(opening, len(code)):
        if code[position] in OPENERS:
            depth += 1
        elif code[position] in CLOSERS:
            depth -= 1
            if depth == 0:
                return position
    return len(code)
