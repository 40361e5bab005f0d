// What all pages do: they begin, send answers, tell the time, and say how the session ended.

import { say } from "./dialog.js";
import { act, begin } from "./talk.js";

const LOST = ["No connection", ["The program does not answer. Is it still running? Load this page again then."]];
const ENDED = {
  done: ["All tasks are done", ["Thank you. You can close this page."]],
  stopped: ["The session was stopped", ["What you sent is kept. The command in the terminal says how to go on."]],
};

/** The state that the server told last, whether an answer is under way, and since when the task is shown. */
export const page = { state: null, busy: false, asked: Date.now() };

export function tell(text) {
  if (byId("status").textContent !== text) byId("status").textContent = text;
}

/** Send an answer. Return whether it was taken. */
export async function answer(action) {
  page.busy = true;
  try {
    page.state = await act(page.state.number, action);
    return true;
  } catch {
    say(...LOST);
    return false;
  } finally {
    page.busy = false;
  }
}

/** Hide the game if the session ended, and say how. Return whether it did. */
export function hasEnded(words = ENDED) {
  if (!page.state.over) return false;
  byId("game").hidden = true;
  tell("");
  say(...words[page.state.over]);
  return true;
}

/** Show the time that the task has been shown for. */
export function runClock() {
  setInterval(() => {
    const seconds = Math.floor((Date.now() - page.asked) / 1000);
    byId("time").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }, 1000);
}

/** Ask how things stand, and show it. */
export async function start(show, lost = LOST) {
  try {
    page.state = await begin();
    show();
  } catch {
    say(...lost);
  }
}
