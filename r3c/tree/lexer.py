"""CUDA text to tokens, losslessly: what lies between two tokens is white space or comments and nothing else."""

from __future__ import annotations

import re

from r3c.tree.words import OPERATORS, WORDS

# One token, or one piece of white space or comment. `>` always stands alone: only the classifier knows whether `>>`
# closes two template lists or shifts.
_PIECE = re.compile(
    r"""
 (?P<SPACE>\A\xef\xbb\xbf|(?:[ \t\r\n\f\v]|\\\r?\n)+)
|(?P<COMMENT>//(?:\\\r?\n|[^\n])*|/\*.*?\*/)
|(?P<RAW>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"\w*)
|(?P<STRING>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"(?:_[A-Za-z]\w*|s(?!\w)|sv(?!\w))?)
|(?P<CHAR>(?:u8|[uUL])?'(?:\\.|[^'\\\n])*')
|(?P<NUMBER>\.?\d(?:[eEpP][+-]|'(?=[0-9a-zA-Z])|[\w.])*)
|(?P<WORD>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)
|(?P<OPERATOR><<<|<<=|>>=|\.\.\.|->\*|<=>|::|->|\+\+|--|<<|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\*(?=\s*\w)|.)
""",
    re.VERBOSE | re.DOTALL,
)
# A preprocessor line with its continuations; comments inside it may span lines.
_PREPROCESSOR = re.compile(r'\#(?:/\*.*?\*/|//(?:\\\r?\n|[^\n])*|"(?:\\.|[^"\\\n])*"|\\\r?\n|[^\n])*', re.DOTALL)
# A pragma of r3c itself, or a comment `// r3c: ...`, is an annotation; nothing else in a comment counts.
ANNOTATION = re.compile(r"//[ \t]*r3c[ \t]*:(?P<comment>.*)|#[ \t]*pragma[ \t]+r3c\b(?P<pragma>.*)", re.DOTALL)


class Token:
    """One token: `kind` as the grammar knows it, `text`, and `start`, its offset in the source.

    The classifier changes `kind`. `type` (set when the parser gets the token, plain because it is asked for most),
    `start_pos`, `end_pos` and the class attributes are what Lark asks for.
    """

    __slots__ = ("end", "kind", "start", "text", "type")
    line = column = end_line = end_column = 0

    def __init__(self, kind: str, text: str, start: int) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = start + len(text)

    value = property(lambda self: self.text)
    start_pos = property(lambda self: self.start)
    end_pos = property(lambda self: self.end)

    def __repr__(self) -> str:
        return f"{self.kind}:{self.text[:20]!r}@{self.start}"


_KIND_OF_GROUP = {
    "RAW": "STRING", "STRING": "STRING", "CHAR": "LITERAL", "NUMBER": "LITERAL", "WORD": "ID", "OPERATOR": "STRAY_CHARACTER",
}  # fmt: skip
KINDS = {**WORDS, **OPERATORS}


def lex(text: str) -> tuple[list[Token], list[Token]]:
    """Tokens of `text`, ended by one of kind EOF; and the comments that are annotations, in order."""
    tokens: list[Token] = []
    annotations: list[Token] = []
    match = _PIECE.match
    at, line_start, size = 0, True, len(text)
    while at < size:
        if line_start and text[at] == "#":
            end = _match_end(_PREPROCESSOR, text, at)
            tokens.append(Token("PP", text[at:end], at))
            at = end
            continue
        found = match(text, at)
        if found is None:  # pragma: no cover - the last alternative takes any character
            break
        group, end = found.lastgroup, found.end()
        if group == "SPACE":
            line_start = line_start or "\n" in found.group()
        elif group == "COMMENT":
            if "r3c" in text[at : at + 12] and ANNOTATION.match(text, at, end):
                annotations.append(Token("ANNOTATION", text[at:end].rstrip("\r"), at))
        else:
            word = found.group()
            known = KINDS.get(word)
            if known is None or group == "NUMBER":
                known = _KIND_OF_GROUP.get(group or "", "STRING")
            tokens.append(Token(known, word, at))
            line_start = False
        at = end
    tokens.append(Token("EOF", "", size))
    return tokens, annotations


def _match_end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at + 1


def is_trivia(text: str) -> bool:
    """Whether `text` is nothing but white space, comments and preprocessor lines."""
    tokens, _ = lex(text)
    return all(token.kind in ("PP", "EOF") for token in tokens)
