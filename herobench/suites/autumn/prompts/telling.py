"""Tells an episode to a model: instructions, what it sees, and what it can do. All words are in files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from herobench.prompts.words import load_words
from herobench.suites.autumn.episode.challenge import Challenge, Detection
from herobench.suites.autumn.episode.episode import Episode
from herobench.suites.autumn.episode.options import ACTIONS, ChallengeStyle, Mode
from herobench.suites.autumn.episode.phase import FilmSeen, GoalSeen, Grid, Refusal, Seen, StoredSeen, WorldSeen
from herobench.suites.autumn.episode.picture import Letters, as_json, picture
from herobench.suites.autumn.episode.tests import DetectionTest

_PACKAGE = "herobench.suites.autumn"
WORDS = load_words("prompts", _PACKAGE)


def words_digest(style: ChallengeStyle) -> str:
    """Return the digest of the words. Those on a limit of resets count only where there is one."""
    return WORDS.digest(lambda name: style.most_resets is not None or "resets" not in name)


class ToldText(NamedTuple):
    """A text with the pictures that belong to it."""

    text: str
    pictures: tuple[str, ...] = ()


class EpisodeTelling:
    """The words of one episode in one style."""

    def __init__(self, challenge: Challenge, style: ChallengeStyle, mode: Mode, first: Grid) -> None:
        self._challenge, self._style, self._mode = challenge, style, mode
        self._letters = Letters(first)
        self._thought = WORDS.fill(style.thought)
        self._legend = (0, "")
        """The legend, with the number of colours that it tells."""

    def system(self) -> str:
        """Return the first message: how it goes, the actions, the form of grids and of replies."""
        style = self._style
        disclosure = ""
        if style.disclosure == "told":
            disclosure = "\n\n" + WORDS.fill(f"disclosure_{self._challenge.family}")
        answer = [WORDS.fill(f"answer_{self._mode}")]
        if style.has("scratchpad"):
            answer.append(WORDS.fill("scratchpad_actions"))
        if style.has("hints"):
            hints = "\n".join(WORDS.fill("hint", hint=hint) for hint in self._challenge.hints)
            answer.append(WORDS.fill("hints", hints=hints))
        return WORDS.fill(
            "system",
            disclosure=disclosure,
            total=style.total,
            steps=style.steps,
            window=style.window,
            grids=WORDS.fill(f"grids_{style.observation}"),
            answer="\n\n".join(answer),
        )

    def instructions(self, *, test: bool) -> str:
        """Return what opens a phase. Observations of two families are JSON objects where they are text."""
        part = self._challenge.family if test else "interaction"
        if test and isinstance(self._challenge.test, Detection):
            return WORDS.fill(part, start=_tell_start(self._challenge.test))
        if not test and (most := self._style.most_resets) is not None:
            return WORDS.fill("interaction_resets", resets=WORDS.fill(f"resets_{min(most, 2)}", most=most))
        fields = f"{part}_text"
        if self._style.observation == "text" and fields in WORDS.templates:
            return f"{WORDS.fill(part)} {WORDS.fill(fields)}"
        return WORDS.fill(part)

    def result(self, episode: Episode, refusal: Refusal | None) -> ToldText:
        """Return the result of an action: the turn, why it was refused, and the present view."""
        view = self.view_text(episode)
        lines = [WORDS.fill("turn", turn=episode.turns, total=episode.total)]
        if refusal:
            lines.append(WORDS.fill(f"refused_{refusal}"))
        return ToldText("\n".join([*lines, view.text]), view.pictures)

    def question(self, episode: Episode, scratchpad: str) -> str:
        """Return the end of the newest message: notes, the actions on offer if they are no tools, how to think."""
        parts = []
        if self._style.has("scratchpad"):
            parts.append(WORDS.fill("scratchpad_now", text=scratchpad or WORDS.fill("nothing")))
        if self._mode == ACTIONS:
            parts.append(_offer_words(episode.offered))
        return "\n\n".join([*parts, self._thought])

    # -- what is seen -------------------------------------------------------------------------------------------------

    def view_text(self, episode: Episode) -> ToldText:
        """Return what the player sees, in the form that is wanted."""
        view = episode.seen
        lines = [*self._before(episode, view)]
        pictures: tuple[str, ...] = ()
        if self._style.observation == "picture":
            lines.append(_caption(view))
            pictures = tuple(map(picture, _pictures(view)))
        elif self._style.observation == "compact":
            lines += [*self._compact(view), self._legend_now()]
        else:
            lines.append(_text(view))
        return ToldText("\n".join(lines), pictures)

    def _before(self, episode: Episode, view: Seen) -> Iterator[str]:
        match view:
            case StoredSeen(chosen=False) if isinstance(episode.test, DetectionTest):
                yield WORDS.fill("stored", last=episode.test.last)
                yield WORDS.fill("frame_number", number=view.number)
            case StoredSeen():
                yield WORDS.fill("frame_number", number=view.number)
            case WorldSeen() if isinstance(episode.test, DetectionTest):
                yield WORDS.fill("frame_number", number=episode.test.last)

    def _legend_now(self) -> str:
        """Return the legend. It is made anew only when there is a new colour."""
        count, legend = self._legend
        if count != len(self._letters):
            count = len(self._letters)  # first: an episode in another thread may meet a new colour meanwhile
            legend = WORDS.fill("legend", colors=", ".join(self._letters.legend()))
            self._legend = count, legend
        return legend

    def _compact(self, view: Seen) -> Iterator[str]:
        draw = self._letters.draw
        match view:
            case GoalSeen():
                yield WORDS.fill("compact_goal", grid=draw(view.grid), goal=draw(view.shown))
            case FilmSeen():
                place = f"{view.position}/{view.last}"
                yield WORDS.fill("compact_film", location=place, action=view.action, grid=draw(view.grid))
                for number, choice in enumerate(view.choices or ()):
                    yield WORDS.fill("compact_choice", number=number, grid=draw(choice))
            case WorldSeen(stills=stills) if stills:
                for still in stills:
                    yield WORDS.fill("still", time=still.time, action=still.action, grid=f"\n{draw(still.grid)}")
            case _:
                yield draw(view.grid)


@lru_cache(maxsize=64)
def _offer_words(actions: tuple[str, ...]) -> str:
    """Return the words about the actions on offer. Most turns of a phase offer the same."""
    return WORDS.fill("offered", actions=", ".join(actions))


def _tell_start(test: Detection) -> str:
    """Return where the test of a detection starts, with the actions that were done before it."""
    if test.start is None:
        return WORDS.fill("detection_same_start")
    actions = ", ".join(test.start.actions) or WORDS.fill("nothing")
    return WORDS.fill("detection_other_start", actions=actions)


def _text(view: Seen) -> str:
    match view:
        case GoalSeen():
            render, goal, mask = as_json(view.grid, ascii=True), as_json(view.goal, ascii=True), json.dumps(view.mask)
            return f'{{"render": {render}, "goal": {goal}, "highlight_mask": {mask}}}'
        case FilmSeen():
            place = f"{view.position}/{view.last}"
            fields = {"video_location": place, "render": view.grid, "action_took": view.action}
            ending = {"is_finished": view.choices is not None}
            return json.dumps(fields | ending | ({} if view.choices is None else {"choices": view.choices}))
        case WorldSeen(stills=stills) if stills:
            return "\n".join(
                WORDS.fill("still", time=still.time, action=still.action, grid=as_json(still.grid)) for still in stills
            )
        case _:
            return as_json(view.grid)


def _caption(view: Seen) -> str:
    size = len(view.grid)
    match view:
        case GoalSeen():
            return WORDS.fill("picture_goal", size=size)
        case FilmSeen():
            place = f"{view.position}/{view.last}"
            caption = WORDS.fill("picture_film", size=size, location=place, action=view.action)
            choices = [WORDS.fill("picture_choices", last=len(view.choices) - 1)] if view.choices else []
            return " ".join([caption, *choices])
        case WorldSeen(stills=stills) if stills:
            return WORDS.fill("picture_stills", size=size, count=len(stills), action=stills[0].action)
        case _:
            return WORDS.fill("picture_world", size=size)


def _pictures(view: Seen) -> Iterator[Grid]:
    if isinstance(view, WorldSeen) and view.stills:
        yield from (still.grid for still in view.stills)
        return
    yield view.grid
    if isinstance(view, GoalSeen):
        yield view.shown
    if isinstance(view, FilmSeen):
        yield from view.choices or ()
