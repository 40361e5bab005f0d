"""The challenges of Autumn behind the contract of a suite: an interaction and a test for each.

Each reply is one action, in text or as a call of a tool. The model is sent the opening and the latest turns, as many as
the window has. Once the test has begun, its instructions stay in the opening when their turn has left the window. Only
the newest message tells the actions on offer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from herobench.conversation import Message, Reply, Tool
from herobench.data.errors import UsageError
from herobench.data.options import option_texts
from herobench.suite.contract import Attempt, Distance, Help, Suite, SuiteSetting, TaskInfo, TurnLimit, Verdict
from herobench.suite.generating import TaskGenerator
from herobench.suite.turns import TurnWindow, tool_results
from herobench.suite.validating import Certificates, TaskFigures, Watch
from herobench.suites.autumn.episode.challenge import CHALLENGES, Challenge, read_challenges
from herobench.suites.autumn.episode.episode import Episode
from herobench.suites.autumn.episode.figures import judge_episode, known_details
from herobench.suites.autumn.episode.options import (
    DATASET,
    MODES,
    PAGE,
    TOOLS,
    ChallengeChoice,
    ChallengeStyle,
    Mode,
    identifying,
    read_choice,
    shipped_challenges,
)
from herobench.suites.autumn.episode.phase import Refusal
from herobench.suites.autumn.episode.tool_calls import NOTHING, Scratchpad, action_in, read_action, tools_for
from herobench.suites.autumn.page.attempt import PageAttempt
from herobench.suites.autumn.players import PLAYERS, AutumnPlayer
from herobench.suites.autumn.prompts.telling import WORDS, EpisodeTelling, ToldText, words_digest
from herobench.suites.autumn.refusals import AutumnFault

if TYPE_CHECKING:
    from herobench.suites.autumn.making.distance import GoalDistances


class Autumn(Suite):
    """The chosen challenges and the way in which they are played."""

    name = "autumn"
    modes = MODES
    run_options = (ChallengeChoice, ChallengeStyle)
    players = PLAYERS
    datasets, task_fields = (DATASET,), ("stochastic",)

    @staticmethod
    def help(details: Mapping[str, Any]) -> Help:
        """Return the help by the mode; without tools there is feedback all the same, since each turn tells a frame."""
        usual = Suite.help(details)
        return "feedback" if usual == "bare" else usual

    @staticmethod
    def generator() -> TaskGenerator:
        """Return what makes new challenges."""
        from herobench.suites.autumn.making.generator import AutumnGenerator  # a run does not need it

        return AutumnGenerator()

    @staticmethod
    def audit(setting: SuiteSetting, watch: Watch) -> TaskFigures:
        """Return what is won of predictions by counting."""
        from herobench.suites.autumn.making.audit import audit  # a run does not need it

        tasks = setting.tasks or Path(DATASET)
        challenges = shipped_challenges() if str(tasks) == DATASET else read_challenges(tasks)
        return audit(challenges.values())

    @staticmethod
    def certificates() -> Certificates:
        """Return what proves the certificates of challenges again."""
        from herobench.suites.autumn.making.proof import find_problems  # a run does not need it

        return Certificates(CHALLENGES, find_problems)

    def __init__(self, setting: SuiteSetting) -> None:
        self.dataset = self.choose_dataset(setting)
        challenges = shipped_challenges() if setting.tasks is None else read_challenges(setting.tasks)
        self._choice, self._style = read_choice(setting.options)
        self.options = {**option_texts(self._choice), **option_texts(self._style)}
        selection = self._choice.of_challenges(challenges.values())
        self._challenges = {challenge.id: challenge for challenge in selection}
        if not self._challenges:
            filters = ", ".join(f"{name}={value}" for name, value in self._choice.filters.items())
            raise UsageError(AutumnFault.NONE_CHOSEN, count=len(challenges), filters=filters)

    def tasks(self) -> Iterator[TaskInfo]:
        """Yield the chosen challenges."""
        for challenge in self._challenges.values():
            yield TaskInfo(challenge.id, challenge.family, challenge.as_row())

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the digest of the words, and the way in which challenges are played."""
        return {"prompts": words_digest(self._style), "mode": self._choice.mode, **identifying(self._style)}

    def open(self, task_id: str, epoch: int) -> Attempt:
        """Start an episode. It does not depend on the epoch."""
        if self._choice.mode == PAGE:
            return PageAttempt(self._challenges[task_id], self._style)
        return AutumnAttempt(self._challenges[task_id], self._choice.mode, self._style, self._distance)

    def _distance(self, episode: Episode) -> Distance | None:
        return self._distances(episode)

    @cached_property
    def _distances(self) -> GoalDistances:
        from herobench.suites.autumn.making.distance import GoalDistances  # a run does not need it

        return GoalDistances()

    def turns(self, task_id: str) -> TurnLimit:
        """Return how long an episode can become."""
        return TurnLimit(self._style.total, self._style.window)

    def blank(self, task_id: str) -> Mapping[str, Any]:
        """Return the details of an episode without a reply."""
        return known_details(self._challenges[task_id], self._choice.mode, self._style)

    def player(self, name: str) -> AutumnPlayer:
        """Return a player that needs no model."""
        return AutumnPlayer(name, self._challenges, self._choice.mode, self._style)


DistanceOf = Callable[[Episode], Distance | None]
"""Says how many actions an episode is from its goal; None where nobody knows."""


class AutumnAttempt(Attempt):
    """One challenge in one conversation."""

    waits = False

    def __init__(
        self, challenge: Challenge, mode: Mode, style: ChallengeStyle, distance: DistanceOf = lambda _: None
    ) -> None:
        self._measure = distance
        self._challenge, self._mode, self._style = challenge, mode, style
        self._episode = Episode(challenge, style.steps, style.total, style.stack, style.most_resets)
        self._telling = EpisodeTelling(challenge, style, mode, self._episode.seen.grid)
        self._scratchpad = Scratchpad()
        self._system = Message("system", self._telling.system())
        self._first = self._telling.view_text(self._episode)
        self._window = TurnWindow(style.window)
        """The latest turns, without the actions on offer."""
        self._since_test: int | None = None
        """Turns since the test began; None before."""
        self._openings: dict[bool, Message] = {}
        """The second message, without and with the instructions of the test. It is the same object in every turn."""
        self._newest = self.messages[-1]

    @property
    def messages(self) -> Sequence[Message]:
        """The opening, before the first reply."""
        return (self._system, self._with_offers(self._opening))

    @property
    def tools(self) -> Sequence[Tool]:
        """The actions on offer as tools; none in the mode `actions`."""
        if self._mode != TOOLS:
            return ()
        return tuple(tools_for(self._episode.offered, WORDS.fill))

    @property
    def conversation(self) -> Sequence[Message]:
        """What the model is sent next: the opening and the latest turns."""
        recent = self._window.before_last()
        return [self._system, self._opening, *recent, self._newest] if recent else self.messages

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Do the action of a reply. Return its result, or None when the episode is over."""
        text = reply.final_text
        if self._style.has("scratchpad"):
            self._scratchpad.take(text)
        was_test = self._episode.test is not None
        refusal = self._episode.act(self._action(reply, text))
        if self._episode.ending:
            return None
        begins = self._episode.test is not None and not was_test
        if begins or self._since_test is not None:
            self._since_test = 0 if begins else (self._since_test or 0) + 1
        results = self._results(reply, self._result_text(refusal, begins=begins))
        self._window.add(reply, results)
        self._newest = self._with_offers(results[-1])
        return [*results[:-1], self._newest]

    def _action(self, reply: Reply, text: str) -> str:
        if self._mode == TOOLS:
            return read_action(reply.tool_calls[0]) if reply.tool_calls else NOTHING
        return action_in(text)

    def _result_text(self, refusal: Refusal | None, *, begins: bool) -> ToldText:
        text = self._telling.result(self._episode, refusal)
        if not begins:
            return text
        return ToldText(f"{self._telling.instructions(test=True)}\n\n{text.text}", text.pictures)

    @staticmethod
    def _results(reply: Reply, text: ToldText) -> list[Message]:
        """Return the messages that answer a reply. Pictures need a message of the user."""
        results = tool_results(reply, text.text, WORDS.fill("not_carried_out"))
        if not results:
            return [Message("user", text.text, pictures=text.pictures)]
        if text.pictures:
            results.append(Message("user", WORDS.fill("pictures"), pictures=text.pictures))
        return results

    @property
    def _opening(self) -> Message:
        """The second message, without the actions on offer."""
        tells_test = self._since_test is not None and self._since_test >= self._style.window
        if tells_test not in self._openings:
            parts = [self._telling.instructions(test=False), self._first.text]
            if tells_test:
                parts.append(self._telling.instructions(test=True))
            self._openings[tells_test] = Message("user", "\n\n".join(parts), pictures=self._first.pictures)
        return self._openings[tells_test]

    def _with_offers(self, message: Message) -> Message:
        offers = self._telling.question(self._episode, self._scratchpad.text)
        # each turn has one, and `replace` would take twice as long
        return Message(message.role, f"{message.text}\n\n{offers}", call_id=message.call_id, pictures=message.pictures)

    def fork(self) -> Self:
        """Return a copy that goes on by itself."""
        # the telling is copied: it learns a letter for each new colour, and another copy may see others
        constant = (self._challenge, self._style, self._system, self._first, self._measure)
        return deepcopy(self, {id(one): one for one in constant})

    def distance(self) -> Distance | None:
        """Return how many actions the episode is from the goal of a planning challenge; None for others."""
        return self._measure(self._episode)

    def grade(self) -> Verdict:
        """Judge the episode."""
        return judge_episode(self._episode, self._mode, self._style)
