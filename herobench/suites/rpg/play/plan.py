"""The code of a plan, from a model's answer.

As published: the last fenced block; else the text between `<code>` tags; else the text after the first "final answer";
surrounding angle brackets come off. Line ends are made uniform first. The thoughts of a reasoning model, between tags,
are searched only if the rest of its answer has no plan. In the edition `standard` the thoughts of an answer that was
cut off are not searched at all: a draft in them is not what the model would have answered.

An answer may be hostile: every step reads the text once.
"""

from __future__ import annotations

import re

from herobench.data.thoughts import is_cut_off, without_thoughts
from herobench.suites.rpg.game.rules import CutThoughts

_FENCE = "```"
# Possessive quantifiers (`*+`) never give back what they took, so no answer can make the match slow.
_LANGUAGE = re.compile(r"[^\S\n]*+[\w+.-]*+[^\S\n]*+\n|(?:python|py)\b", re.IGNORECASE)
_CODE_BEGINS = re.compile(r"<code>", re.IGNORECASE)
_CODE_ENDS = re.compile(r"</code>", re.IGNORECASE)
_CALL = re.compile(r"(?:^|[:;=])[^\S\n]*+\w++\(", re.MULTILINE)
_FINAL_ANSWER = re.compile(r"final answer[^\S\n]*:?", re.IGNORECASE)


def extract_code(answer: str, cut_thoughts: CutThoughts = "searched", stop: str | None = None) -> str | None:
    """Return the plan in an answer, or None if nothing is marked as one. An empty plan does nothing.

    `cut_thoughts` is the switch of an edition, by default that of the paper's; `stop` is why the model stopped.
    """
    text = answer.replace("\r\n", "\n").replace("\r", "\n")
    said, unclosed = without_thoughts(text)
    if cut_thoughts == "ignored" and is_cut_off(text, stop):
        return _marked_code(said[:unclosed])
    return _marked_code(said) or _marked_code(text)


def as_answer(code: str) -> str:
    """Return a plan as an answer that says nothing else."""
    return f"{_FENCE}python\n{code}\n{_FENCE}"


def marked(text: str) -> str:
    """Return a plan that stands alone as an answer; any other text as it is.

    Other tools take the fence off that a plan stands in. A plan has a line with a call, which prose has not.
    """
    alone = _FENCE not in text and _CALL.search(text) and extract_code(text) is None
    return as_answer(text) if alone else text


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
