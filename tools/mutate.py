#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: mutate.py HEADER

Prints the mutants of a header, one on each line, as LINE: FUNCTION: CODE, where
CODE has {old|new} in it; #2 marks the second mutant of a name. The operators:

    relation    < <= > >= == !=: a tie, or equality, gets the other result
    arithmetic  + - * / % << >> & | and their assignments, ++ --
    logic       && ||
    sign        drop a ! ~ or -
    constant    a number plus or minus 1; true false; INT64_MAX - 1
    error       another FAIR_E...
    condition   of if, while, for and ?: - never or always (harder to kill than
                the negation)
    clause      drop an operand of && or ||
    statement   drop an assignment, a call, a return, break or continue
    arguments   swap two neighbours

Where a < b chooses between a and b, the tie is no mutant: both are one value.
It mutates functions and tables. It does not mutate comments, strings,
preprocessor lines, code for C++ only, the types of declarations, and
FAIR_ASSERT(), which states a proved fact and decides nothing.
"""
import collections
import re
import sys

BLANK = re.compile(
    r"/\*.*?\*/|//[^\n]*"
    r"|^[ \t]*#[ \t]*ifdef __cplusplus\b.*?#endif"
    r"|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE)
TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\.?\d[\w.]*'
    r"|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]="
    r"|[-+*/%&|^~!<>=?:;,.(){}\[\]]")
RELATION = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>",
              ">>": "<<", "&": "|", "|": "&", "^": "&", "+=": "-=",
              "-=": "+=", "*=": "/=", "/=": "*=", "%=": "/=", "<<=": ">>=",
              ">>=": "<<=", "|=": "&=", "&=": "|=", "^=": "&=", "++": "--",
              "--": "++"}
LOGIC = {"&&": "||", "||": "&&"}
WORD = {"true": "false", "false": "true", "FAIR_EINVAL": "FAIR_ERANGE",
        "FAIR_ENOMEM": "FAIR_EINVAL", "FAIR_ENOSPC": "FAIR_EINVAL",
        "FAIR_ERANGE": "FAIR_EINVAL", "FAIR_EOVERFLOW": "FAIR_EINVAL",
        "FAIR_ENOENT": "FAIR_EINVAL", "FAIR_ETIME": "FAIR_EINVAL"}
LIMIT = re.compile(r"(U?INT\d+|SIZE)_(MAX|MIN)")
KEYWORDS = {"if", "while", "for", "switch", "return", "sizeof", "do", "else",
            "case", "default", "break", "continue", "goto", "const", "static",
            "struct", "enum", "union"}
TYPES = {"const", "static", "struct", "enum", "union", "register", "unsigned",
         "signed", "char", "short", "int", "long", "bool", "void", "volatile"}
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "|=", "&=", "^="}
OPEN, CLOSE = "([{", ")]}"


class Mutant:
    """A mutant; @name does not depend on the place of the function."""

    def __init__(self, text, function, start, end, new, says=None):
        self.start, self.end, self.new = start, end, new
        self.line = text.count("\n", 0, start) + 1
        left = text.rfind("\n", 0, start) + 1
        right = text.find("\n", end)
        what = (f"{text[left:start]}{{{text[start:end]}|{says or new.strip()}}}"
                f"{text[end:right]}")
        self.name = function + ": " + " ".join(what.split())
        self.is_code = True

    def apply(self, text, begin=0, end=None):
        """Returns the mutated text from @begin to @end, with the same lines."""
        lines = text.count("\n", self.start, self.end)
        return (text[begin:self.start] + self.new + "\n" * lines +
                text[self.end:end])


class Code:
    """The tokens of a header, and the pair of each bracket."""

    def __init__(self, text):
        self.text = text
        blanked = BLANK.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
        found = list(TOKEN.finditer(blanked))
        self.token = [m[0] for m in found]
        self.start = [m.start() for m in found]
        self.end = [m.end() for m in found]
        self.pair, stack = {}, []
        for i, t in enumerate(self.token):
            if t in OPEN:
                stack.append(i)
            elif t in CLOSE:
                self.pair[i] = stack.pop()
                self.pair[self.pair[i]] = i

    def bodies(self):
        """Yields name, braces and kind (function, or else table) of each body."""
        i = 0
        while i < len(self.token):
            if self.token[i] != "{":
                i += 1
                continue
            before, name = self.token[i - 1], i - 1
            if before == ")":
                name = self.pair[i - 1] - 1
            while before == "=" and self.token[name] in ("=", "]"):
                name = self.pair.get(name, name) - 1
            if before in (")", "="):
                yield self.token[name], i, self.pair[i], before == ")"
            i = self.pair[i] + 1

    def is_type(self, i):
        return self.token[i] in TYPES or self.token[i].endswith("_t")

    def is_operand(self, i):
        """Whether an operand ends here, so that a binary operator follows."""
        t = self.token[i]
        if t == ")":
            inner = self.token[self.pair[i] + 1:i]
            return not (inner and (self.is_type(self.pair[i] + 1) and
                                   self.token[self.pair[i] - 1] != "sizeof"))
        return t == "]" or (t not in KEYWORDS and
                            bool(re.match(r"[\w'\"]", t)))


class Mutator:
    def __init__(self, text):
        self.code, self.text, self.found = Code(text), text, []
        self.name = ""

    def add(self, first, last, new, says=None):
        """Adds the mutant in which @new replaces tokens @first to @last."""
        c = self.code
        self.found.append(Mutant(self.text, self.name, c.start[first],
                                 c.end[last], new, says))

    def run(self):
        for self.name, first, last, function in self.code.bodies():
            if function:
                self.asserted, self.stars = set(), set()
                self.statement(first, False)
                self.expressions(first, last)
            else:
                before = len(self.found)
                for i in range(first, last):
                    self.constant(i)
                for m in self.found[before:]:
                    m.is_code = False
        self.found.sort(key=lambda m: (m.start, m.end))
        seen = collections.Counter()
        for m in self.found:
            seen[m.name] += 1
            m.name += f" #{seen[m.name]}" if seen[m.name] > 1 else ""
        return self.found

    # Statements. Each method returns the token after the statement.

    def statement(self, i, under):
        token, pair = self.code.token, self.code.pair
        t = token[i]
        if t == "{":
            i += 1
            while token[i] != "}":
                i = self.statement(i, under)
            return i + 1
        if t in ("if", "while", "switch"):
            end = pair[i + 1]
            if t != "switch":
                self.condition(i + 2, end - 1, t == "if")
            i = self.statement(end + 1, True)
            return self.statement(i + 1, True) if token[i] == "else" else i
        if t == "for":
            return self.loop(i + 1)
        if t == "do":
            i = self.statement(i + 1, True)
            self.condition(i + 2, pair[i + 1] - 1, False)
            return pair[i + 1] + 2
        if t in ("case", "default") or token[i + 1] == ":":
            while token[i] != ":":
                i += 1
            return i + 1
        return self.simple(i, under)

    def loop(self, i):
        token, end, semicolons, k = self.code.token, self.code.pair[i], [], i
        while k < end:
            k += 1
            if token[k] in OPEN:
                k = self.code.pair[k]
            elif token[k] == ";":
                semicolons.append(k)
        if self.code.is_type(i + 1):
            self.declaration(i + 1, semicolons[0])
        if semicolons[0] + 1 < semicolons[1]:
            self.condition(semicolons[0] + 1, semicolons[1] - 1, False)
        return self.statement(end + 1, True)

    def simple(self, i, under):
        token, end = self.code.token, i
        while token[end] != ";":
            end = self.code.pair[end] if token[end] in OPEN else end
            end += 1
        if token[i] == "FAIR_ASSERT":
            self.asserted.update(range(i, end))
        elif self.code.is_type(i):
            self.declaration(i, end)
        elif i < end and token[i:i + 3] != ["(", "void", ")"] and \
                token[i] != "goto" and (under or token[i] != "return"):
            self.add(i, end, ";", "lost")
        return end + 1

    def declaration(self, i, end):
        """The * before the = belong to the type."""
        while i < end and self.code.token[i] != "=":
            self.stars.add(i)
            i += 1

    def condition(self, first, last, is_if):
        self.add(first, last, " 0 ", "never")
        if is_if:
            self.add(first, last, " 1 ", "always")

    # Expressions

    def expressions(self, first, last):
        for i in range(first + 1, last):
            if i in self.asserted:
                continue
            t = self.code.token[i]
            self.operator(i, t)
            self.constant(i)
            if t == "?":
                self.condition(self.left(i, ("||", "&&")), i - 1, True)
            elif t in LOGIC:
                self.clauses(i, t)
            elif t == "(" and i not in self.stars:
                self.arguments(i)

    def operator(self, i, t):
        binary = self.code.is_operand(i - 1) and i not in self.stars
        if t in RELATION and not self.is_extreme(i):
            self.add(i, i, RELATION[t])
        elif t in LOGIC:
            self.add(i, i, LOGIC[t])
        elif t in ("++", "--") or (t in ARITHMETIC and binary and
                                   self.code.token[i + 1] != ")"):
            self.add(i, i, ARITHMETIC[t])
        elif t in ("!", "~", "-"):
            self.add(i, i, " ")

    def is_extreme(self, i):
        """Whether a < b ? a : b, or if (a < b) a = b: a tie has one result."""
        token = self.code.token
        first, last = self.left(i, ()), self.right(i, ())
        a, b, k = token[first:i], token[i + 1:last + 1], last + 1
        if token[k] == "?":
            colon = self.right(k, LOGIC) + 1
            end = self.right(colon, LOGIC) + 1
            return (token[colon] == ":" and
                    sorted([a, b]) == sorted([token[k + 1:colon],
                                              token[colon + 1:end]]))
        end = k + len(a) + len(b) + 3
        return (token[first - 2] == "if" and token[k] == ")" and
                token[k + 1:end] in ([*a, "=", *b, ";"], [*b, "=", *a, ";"]))

    def constant(self, i):
        t = self.code.token[i]
        if i in getattr(self, "stars", ()):
            return
        if t in WORD:
            self.add(i, i, WORD[t])
        elif LIMIT.fullmatch(t):
            sign = "-" if t.endswith("MAX") else "+"
            self.add(i, i, f"({t} {sign} 1)")
        else:
            n = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", t)
            if not n:
                return
            value = int(n[1], 16 if n[1][:2] in ("0x", "0X") else 10)
            show = hex if n[1][:2] in ("0x", "0X") else str
            if value < 2 ** 64 - 1:
                self.add(i, i, show(value + 1) + n[2])
            if value > 0:
                self.add(i, i, show(value - 1) + n[2])

    def left(self, i, through):
        """The first token of the operand before @i."""
        token = self.code.token
        while True:
            t = token[i - 1]
            if t in CLOSE:
                i = self.code.pair[i - 1]
                if t == "}":
                    return i
            elif t in OPEN or t in ASSIGN or t in (",", ";", "?", ":",
                                                   "return") or \
                    (t in LOGIC and t not in through):
                return i
            else:
                i -= 1

    def right(self, i, through):
        """The last token of the operand after @i."""
        token = self.code.token
        while True:
            t = token[i + 1]
            if t in OPEN:
                i = self.code.pair[i + 1]
            elif t in CLOSE or t in (",", ";", "?", ":") or \
                    (t in LOGIC and t not in through):
                return i
            else:
                i += 1

    def clauses(self, i, t):
        neutral, through = (" 1 ", ()) if t == "&&" else (" 0 ", ("&&",))
        first = self.left(i, through)
        if self.code.token[first - 1] != t:
            self.add(first, i - 1, neutral, "lost")
        self.add(i + 1, self.right(i, through), neutral, "lost")

    def arguments(self, i):
        token, pair = self.code.token, self.code.pair
        name = token[i - 1]
        if not re.match(r"[A-Za-z_]", name) or name in KEYWORDS:
            return
        begin, k, args = i + 1, i + 1, []
        while k <= pair[i]:
            if k == pair[i] or token[k] == ",":
                args.append((begin, k - 1))
                begin = k + 1
            k = pair[k] + 1 if token[k] in OPEN else k + 1
        for (a, b), (c, d) in zip(args, args[1:]):
            one = self.text[self.code.start[a]:self.code.end[b]]
            two = self.text[self.code.start[c]:self.code.end[d]]
            if one != two:
                self.add(a, d, f"{two}, {one}", "swapped")


def mutants(text):
    """Returns the mutants, numbered from 1."""
    found = Mutator(text).run()
    for number, m in enumerate(found, 1):
        m.number = number
    return found


class Schema:
    """A header that contains the mutants @chosen: a copy of its function for each
    mutant, and the function itself calls the copy that fair_mutant selects. A
    table has copies, too, and a constructor selects one. If they are @compared
    only, the function does not call its copies, and f__0 is a copy without a
    mutation."""

    def __init__(self, text, chosen, compared=False):
        self.old, self.code, self.compared = text, Code(text), compared
        self.pieces, self.line = [], 1
        self.lines = []  # of the copies: (first, last, number)
        self.function = {}  # of a number
        self.add("extern int fair_mutant;\n")
        done = 0
        for name, first, last, is_function in self.code.bodies():
            self.span = begin, end = \
                self.code.start[first], self.code.end[last]
            inside = [m for m in chosen if begin <= m.start < end]
            if not inside:
                continue
            self.function.update((m.number, name) for m in inside)
            k = first
            while self.code.token[k] != name:
                k -= 1
            start, at = self.begin(k), self.code.start[k]
            self.add(text[done:start])
            self.head, self.tail = text[start:at], text[at + len(name):begin]
            if is_function:
                self.add_function(name, text[begin:end], inside,
                                  self.parameters(k + 1))
            else:
                self.add_table(name, text[begin:end], inside)
            done = end
        self.add(text[done:])
        self.text = "".join(self.pieces)

    def add(self, text):
        self.pieces.append(text)
        self.line += text.count("\n")

    def begin(self, i):
        """Returns where the declaration of token @i begins."""
        token, pair = self.code.token, self.code.pair
        while i and token[i - 1] not in (
                ";", "}", "FAIRSCHED_BEGIN_C", "FAIRSCHED_END_C") and \
                not (token[i - 1] == ")" and
                     token[pair[i - 1] - 1] == "FAIRSCHED_PROVIDE"):
            i -= 1
        return self.code.start[i]

    def parameters(self, i):
        """Returns the names of the parameters between the brackets at @i."""
        token, pair, names, name = self.code.token, self.code.pair, [], ""
        end = pair[i]
        while i < end:
            i += 1
            if token[i] == "[":
                i = pair[i]
            elif token[i] == "(" and token[i + 1] == "*":
                names.append(token[i + 2])  # a function's address
                i, name = pair[pair[i] + 1], ""
            elif i == end or token[i] == ",":
                names += [name] if name not in ("", "void") else []
            else:
                name = token[i]
        return ", ".join(names)

    def add_copies(self, name, end, inside):
        for m in inside:
            line, body = self.line, m.apply(self.old, *self.span)
            self.add(f"{self.head}{name}__{m.number}{self.tail}{body}{end}")
            self.lines.append((line, self.line, m.number))

    def add_function(self, name, body, inside, parameters):
        self.add(f"{self.head}{name}{self.tail};\n")
        self.add_copies(name, "\n", inside)
        choice = ""
        if self.compared:
            self.add(f"{self.head}{name}__0{self.tail}{body}\n")
        else:
            cases = "\n".join(
                f"case {m.number}: return {name}__{m.number}({parameters});"
                for m in inside)
            choice = (f"if (fair_mutant >= {inside[0].number} && fair_mutant "
                      f"<= {inside[-1].number}) switch (fair_mutant) "
                      f"{{\n{cases}\n}}\n")
        self.add(f"{self.head}{name}{self.tail}{{\n{choice}{body[1:]}")

    def add_table(self, name, body, inside):
        if not self.compared:
            self.head = re.sub(r"\bconst\b", "", self.head)
        self.add_copies(name, ";\n", inside)
        self.add(f"{self.head}{name}{self.tail}{body}")
        if self.compared:
            return
        cases = "".join(
            f"case {m.number}: __builtin_memcpy(&{name}, &{name}__{m.number}, "
            f"sizeof({name})); break;\n" for m in inside)
        self.add(";\n__attribute__((constructor(102))) static void "
                 f"{name}__choose(void) {{\nswitch (fair_mutant) {{\n{cases}"
                 "}\n}\nstruct fair_no_table")  # the old ; ends it
if __name__ == "__main__":
    for m in mutants(open(sys.argv[1]).read()):
        print(f"{m.line}: {m.name}")
