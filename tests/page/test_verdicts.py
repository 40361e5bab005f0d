"""A page that tells verdicts gets each before the next question; any other page waits for none."""

import asyncio
from typing import Any

from herobench.conversation import Reply, Request
from herobench.page.server import ConversationPage, Page, Seat


class TellingPage(ConversationPage):
    tells_verdicts = True

    def verdict(self, sample: Any) -> Any:
        return sample["score"]


async def second_question(page: Page) -> tuple[dict[str, Any], dict[str, Any]]:
    """Answer a question. Return the states before and after the verdict on it, while the next one is asked."""
    seat = Seat(page)
    seat.expect(0, 2)

    async def ask(task_id: str) -> asyncio.Task[Reply]:
        asked = asyncio.create_task(seat.reply(Request(task_id, 0, ())))
        await asyncio.sleep(0)
        return asked

    first = await ask("a")
    assert seat.state(0, 0)["place"] == 1
    assert seat.act(1, "words")
    assert (await first).text == "words"
    second = await ask("b")
    judged = seat.state(1, 0)
    seat.finish({"score": 0.5})
    told = seat.state(1, 0)
    seat.leave()
    await asyncio.gather(second, return_exceptions=True)
    return judged, told


def test_a_page_that_tells_verdicts_gets_one_before_the_next_question() -> None:
    judged, told = asyncio.run(second_question(TellingPage()))
    assert judged == {"number": 1, "view": None}
    assert (told["number"], told["place"], told["verdict"], told["view"]["task"]) == (2, 2, 0.5, "b")


def test_any_other_page_is_asked_at_once_and_told_no_verdict() -> None:
    judged, told = asyncio.run(second_question(ConversationPage()))
    assert judged == told
    assert (told["number"], "verdict" in told) == (2, False)
