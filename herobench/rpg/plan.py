"""The code of a plan, from a model's answer.

As published: the last fenced block; else the text between `<code>` tags; else the text after the first "final answer";
surrounding angle brackets come off. Line ends are made uniform first. The thoughts of a reasoning model, between tags,
are searched only if the rest of its answer has no plan. An answer may be hostile: every step reads the text once.
"""

from __future__ import annotations

import re

_FENCE = "```"
_THOUGHT_TAG = re.compile(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)
# Possessive quantifiers (`*+`) never give back what they took, so no answer can make the match slow.
_LANGUAGE = re.compile(r"[^\S\n]*+[\w+.-]*+[^\S\n]*+\n|(?:python|py)\b", re.IGNORECASE)
_CODE_BEGINS = re.compile(r"<code>", re.IGNORECASE)
_CODE_ENDS = re.compile(r"</code>", re.IGNORECASE)
_FINAL_ANSWER = re.compile(r"final answer[^\S\n]*:?", re.IGNORECASE)


def extract_code(answer: str) -> str | None:
    """Return the plan in an answer, or None if nothing is marked as one. An empty plan does nothing."""
    text = answer.replace("\r\n", "\n").replace("\r", "\n")
    return _marked_code(_without_thoughts(text)) or _marked_code(text)


def as_answer(code: str) -> str:
    """Return a plan as an answer that says nothing else."""
    return f"{_FENCE}python\n{code}\n{_FENCE}"


def _without_thoughts(text: str) -> str:
    """Return a text without its tagged thoughts. If only the end is tagged, all text before it was thought."""
    kept: list[str] = []
    rest = 0
    begun: re.Match[str] | None = None
    for tag in _THOUGHT_TAG.finditer(text):
        ends, kind = bool(tag[1]), tag[2].lower()
        if begun is None and not ends:
            begun = tag
        # Some models send the end tag only: the begin tag was part of their prompt.
        elif ends and begun is None:
            kept.clear()
            rest = tag.end()
        elif ends and begun is not None and begun[2].lower() == kind:
            kept.append(text[rest : begun.start()])
            rest = tag.end()
            begun = None
    return "".join([*kept, text[rest:]])


def _marked_code(text: str) -> str | None:
    fenced = text.split(_FENCE)
    # Texts between fences have odd numbers; an opened fence that is never closed does not count.
    if len(fenced) > 2:
        last = fenced[(len(fenced) - 1) // 2 * 2 - 1]
        language = _LANGUAGE.match(last)
        return _bare(last[language.end() :] if language else last)
    begin = _CODE_BEGINS.search(text)
    end = _CODE_ENDS.search(text, begin.end()) if begin else None
    if begin and end:
        return _bare(text[begin.end() : end.start()])
    final = _FINAL_ANSWER.search(text)
    return _bare(text[final.end() :]) if final else None


def _bare(code: str) -> str:
    """Return the code without surrounding blanks and angle brackets."""
    text = code.strip()
    return text[1:-1].strip() if text.startswith("<") and text.endswith(">") else text
