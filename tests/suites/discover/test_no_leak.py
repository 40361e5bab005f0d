"""Nothing that a model is told depends on the secrets, and the secrets on nothing that it is told."""

from collections import Counter

from herobench.suites.discover.game.mystery import shipped_mysteries
from herobench.suites.discover.prompts.telling import opening, plan_question
from tests.suites.discover.mysteries import played, some, with_truth


def test_the_prompts_are_the_same_for_every_truth() -> None:
    for mystery in some(4):
        last = len(mystery.lands) - 1
        _, laws, truth = mystery.lands[last]
        others = [with_truth(mystery, last, truth._replace(lode=secret)) for secret in laws.lode.secrets]
        assert {opening(other) for other in others} == {opening(mystery)}
        assert {plan_question(other) for other in others} == {plan_question(mystery)}


def test_the_lane_told_tells_all() -> None:
    for mystery in some(4):
        _, conversation, verdict = played("oracle", mystery, lane="told")
        told = conversation[0].text.split("# What is hidden", 1)[1]
        for hidden in mystery.lands:
            assert all(f"`{hidden.land.rings[number]}`" in told for number in hidden.truth.rings.wanted)
        assert verdict.won


def test_the_places_of_secrets_are_spread_evenly() -> None:
    """Of 160 tasks each thing is a wanted one about as often as any other; 4 standard deviations are allowed."""
    for medium in range(3):
        counts, expected = Counter[int](), Counter[int]()
        for hidden in [hidden for mystery in shipped_mysteries().values() for hidden in mystery.lands]:
            counts.update(hidden.truth[medium].wanted)
            things = hidden.laws[medium].things
            expected.update(dict.fromkeys(range(things), 2 / things))  # type: ignore[dict-item]
        for number, mean in expected.items():
            assert abs(counts[number] - mean) < 4 * mean**0.5
