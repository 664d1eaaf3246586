"""A reading of C++ by its brackets: good enough to find functions, lambdas and the shape of a co_await."""
import dataclasses
import re

from tidy.tree import CLOSERS, OPENERS, matching_close

SCOPE_WORDS = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
CONDITION_WORDS = ("if", "while", "switch", "for")


@dataclasses.dataclass(frozen=True)
class Function:
    first_line: int
    last_line: int

    @property
    def line_count(self):
        return self.last_line - self.first_line + 1


def head_kind(head):
    """What the brace after `head` opens, when it stands in a namespace or class: scope, function or other."""
    head = re.sub(r"\[\[.*?\]\]", " ", head)
    head = re.sub(r"\btemplate\s*<[^{};]*?>(?=\s*(?:class|struct|union|requires)\b)", " ", head)
    outside = ""
    depth = 0
    for character in head:
        depth += (character in "([") - (character in ")]")
        outside += character if depth == 0 else " "
    if "(" not in head:
        return "scope" if SCOPE_WORDS.search(head) else "other"
    assigned = re.search(r"(?<![=!<>])=(?!=)", re.sub(r"\boperator\s*\S+", "", outside))
    if assigned and not re.search(r"=\s*\[", head):
        return "other"
    return "function"


def functions(file):
    """Functions outside other functions; a lambda or a local class counts with the function around it."""
    code = re.sub(r"(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda match: re.sub(r"[^\n]", " ", match.group()), file.code)
    found, start, position = [], 0, 0
    while position < len(code):
        character = code[position]
        if character in "(":
            position = matching_close(code, position)
        elif character in ";}":
            start = position + 1
        elif character == "{":
            head = re.sub(r"^\s*(?:public|private|protected)\s*:", " ", code[start:position])
            kind = head_kind(head)
            if kind == "scope":
                start = position + 1
            else:
                end = matching_close(code, position)
                if kind == "function":
                    first = start + len(code[start:position]) - len(code[start:position].lstrip())
                    found.append(Function(file.line_of(first), file.line_of(end)))
                    start = end + 1
                position = end
        position += 1
    return found


def is_block(code, brace):
    """Whether the brace at this position opens a block of statements, and not a braced list."""
    before = code[:brace].rstrip()
    if not before or before[-1] in ";{}":
        return True
    if before[-1] in ")]":
        return True
    if re.search(r"(?:\b(?:else|do|try|const|noexcept|override|final|mutable)|(?<!:):|\bcase\b[^;{}]*:)$", before):
        return True
    return bool(re.search(r"\)[^;{}()]*->\s*[\w:<>,*&\s]+$", before) or SCOPE_WORDS.search(before.splitlines()[-1]))


def open_brackets(code, position):
    """Brackets open at this position up to the block around it, innermost first; the block's brace comes last."""
    stack = []
    for at in range(position):
        if code[at] in OPENERS:
            stack.append(at)
        elif code[at] in CLOSERS and stack:
            stack.pop()
    found = []
    for opening in reversed(stack):
        found.append(opening)
        if code[opening] == "{" and is_block(code, opening):
            break
    return found


def expression_start(code, position, opening):
    """After the last semicolon or closed block between the bracket around the expression and the expression."""
    start, at = opening + 1, opening + 1
    while at < position:
        if code[at] in OPENERS:
            close = matching_close(code, at)
            if code[at] == "{" and is_block(code, at):
                start = close + 1
            at = close
        elif code[at] == ";":
            start = at + 1
        at += 1
    return start


def word_before(code, position):
    match = re.search(r"([A-Za-z_]\w*)\s*(?:constexpr\s*)?$", code[:position])
    return match.group(1) if match else ""


def expression_end(code, position):
    """Where the expression at `position` ends: the bracket that closes around it, or its semicolon."""
    depth = 0
    for at in range(position, len(code)):
        if code[at] in OPENERS:
            depth += 1
        elif code[at] in CLOSERS:
            if depth == 0:
                return at
            depth -= 1
        elif code[at] == ";" and depth == 0:
            return at
    return len(code)


def at_depth_zero(text):
    """The text with everything inside brackets blanked out."""
    out, depth = [], 0
    for character in text:
        depth -= character in CLOSERS
        out.append(character if depth <= 0 else " ")
        depth += character in OPENERS
    return "".join(out)


# Classes with constructors or without members that own something: safe as temporaries.
SAFE_TEMPORARIES = {"Offset", "LeaderEpoch", "BrokerId", "PartitionNumber", "MetadataPartition", "Bytes", "Duration",
                    "SimTime", "Uuid"}


def unsafe_temporary(operand):
    """The first braced temporary among the arguments of an awaited call, or nothing."""
    for match in re.finditer(r"([\w:]*(?:<[\w:,\s]*>)?)\s*\{", operand):
        before = operand[:match.start()].rstrip()
        if not match.group(1) and before[-1:] not in ("(", ",", "{"):
            continue
        if match.group(1).rpartition("::")[2] in SAFE_TEMPORARIES:
            continue
        if match.group(1) in ("mutable", "noexcept", "const") or before.endswith(("->", "]")):
            continue
        return match.group(1) + "{...}"
    return None


def co_await_problem(code, position):
    """What is wrong with the shape of the co_await at `position`; nothing when it stands alone."""
    brackets = open_brackets(code, position)
    start = expression_start(code, position, brackets[0]) if brackets else 0
    end = expression_end(code, position)
    for opening in brackets:
        if code[opening] == "{" and is_block(code, opening):
            break
        if code[opening] == "{":
            return "in a braced list: await first, into a name"
        word = word_before(code, opening)
        if word in CONDITION_WORDS:
            if word != "for" and code[end] == ";":
                break
            return f"straight in the condition of `{word}`: use `if (auto x = co_await f(); !x)` or a name before it"
        return "inside another expression: await first, into a name"
    before = at_depth_zero(code[start:position])
    assigned = list(re.finditer(r"(?<![=!<>])=(?!=)", before))
    around = (before[assigned[-1].end():] if assigned else before) + at_depth_zero(code[position:end])
    if "?" in around:
        return "with `?:`: write an if, each branch with its own await"
    if "&&" in around or "||" in around:
        return "with `&&` or `||`: await first, into a name"
    temporary = unsafe_temporary(code[position:end])
    if temporary:
        return f"with the temporary {temporary} as an argument: name it before and std::move it in"
    return None


LAMBDA = re.compile(r"(?<![\w\])\[])\s*\[(?!\[)(?P<captures>[^\]]*)\]\s*(?P<rest>[(<{]|mutable|noexcept|->)")
SUSPENDS = re.compile(r"\bco_(?:await|return|yield)\b")


def lambdas(code):
    """(position, captures, body) of each lambda."""
    for match in LAMBDA.finditer(code):
        at = match.start("rest")
        while at < len(code) and code[at] not in "{;":
            at = matching_close(code, at) + 1 if code[at] == "(" else at + 1
        if at < len(code) and code[at] == "{":
            yield match.start("captures"), match.group("captures").strip(), (at, matching_close(code, at))


def capturing_coroutines(code):
    """Positions of lambdas that capture and are coroutines themselves."""
    every = list(lambdas(code))
    for position, captures, (begin, end) in every:
        inner = [span for _, _, span in every if begin < span[0] and span[1] < end]
        suspends = any(not any(a < match.start() + begin < b for a, b in inner)
                       for match in SUSPENDS.finditer(code[begin:end]))
        if captures and suspends:
            yield position
