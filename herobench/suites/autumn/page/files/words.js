// All words of the page. Texts are set as text, never as HTML.

export const PHASES = {
  interaction: "Exploration",
  prediction: "Test: what is hidden?",
  planning: "Test: reach the goal",
  detection: "Test: find the change",
  frames: "Test: in which picture?",
};

const TASKS = {
  interaction:
    "Find out how this world works. Try the keys, and click on cells. Nothing is scored yet. Go to the test when you " +
    "understand the world.",
  prediction:
    "Watch the recording to its end. A part of the late pictures is hidden (striped). Which of six pictures shows the " +
    "hidden part of the last picture?",
  planning: "Bring the world into the state of the goal. Striped cells of the goal do not count. There is no reset.",
  detection:
    "Act in the same world. One of its rules changes at some moment. When you have seen something that the old rules " +
    "do not allow, say that you found the change.",
  frames:
    "These are the pictures of the test, in their order. Show the first one that the old rules do not allow, and submit it. " +
    "One before the change is worth nothing, and a later one is worth less.",
};

// What is to be done now. Resets have no limit where they are null.
export function task({ phase, resets }) {
  if (phase !== "interaction") return TASKS[phase];
  return `${TASKS[phase]} ${resets === null ? "You may reset as often as you like." : `Resets that are left: ${resets}.`}`;
}

export const DISCLOSED = {
  prediction: "Then comes the test: you watch a recording from this world, and say what is in its hidden part.",
  planning: "Then comes the test: you bring this world into a wanted state.",
  detection: "Then comes the test: a rule of this world changes, and you say when.",
};

// Where the test of a change starts.
export const done = actions =>
  "The world does not start as before. By the old rules, these actions were done in it: " + actions.join(", ") + ".";

export const TUTORIAL = [
  [
    "Welcome",
    [
      "You will play in small worlds of coloured cells. Each has rules that nobody tells you.",
      "A challenge has two parts. First you explore: act as you like, and learn the rules. Then comes a test about the same world.",
      "You can play with the keyboard alone, or with the mouse.",
    ],
  ],
  [
    "How to act",
    [
      [
        ["← ↑ → ↓", "press an arrow key of the world"],
        ["W A S D", "move the frame on the grid (this is no action)"],
        ["Space", "click on the framed cell; the mouse clicks on any cell"],
        ["N", "do nothing for one step"],
        ["R", "reset: start the world again (exploration only)"],
        ["P", "pause or go on"],
        ["T or Enter", "go to the test"],
        ["H", "show this help; the world waits"],
      ],
    ],
  ],
  [
    "Time and steps",
    [
      "Some worlds move by themselves, a number of times a second; others wait for you. The page says which it is. While a " +
        "window like this one is open, time stands still.",
      "Each action is a step, and so is each moment in which a world moves by itself. Steps are limited; the page counts them.",
      "Your play is stored on this computer after each action. You can close the page and come back to it.",
    ],
  ],
];

const SINCE = {
  start: "at the start",
  noop: "after a step without an action",
  left: "after the arrow ←",
  right: "after the arrow →",
  up: "after the arrow ↑",
  down: "after the arrow ↓",
};

/** What happened before a picture of a recording. */
export function since(action) {
  const [, column, row] = action.match(/^click (\d+) (\d+)$/) || [];
  return column ? `after a click on column ${column}, row ${row}` : SINCE[action] || `after ${action}`;
}

export const ASKS = {
  test: ["Go to the test?", "You cannot come back to the exploration.", "Go to the test"],
  quit: ["Give up this test?", "It will be worth nothing.", "Give up"],
  found: ["Did you find the change?", "You will then look at the pictures again, and cannot act any more.", "I found it"],
  submit: ["Submit this picture?", "The challenge ends with your answer.", "Submit"],
  option: ["Is this your answer?", "The challenge ends with it.", "Answer"],
};

export const REFUSED = {
  unknown: "Nothing happened: this action is not possible now.",
  "no-reset": "Nothing happened: the test has no reset.",
  "no-resets-left": "Nothing happened: there is no reset left.",
  "nothing-chosen": "Show the picture of your choice first.",
};

export const LOST = [
  "The page has lost its server",
  ["Is herobench play still running? All that you did is stored. Start it again with the same folder (-o), and open the address that it prints."],
];

export const ENDED = {
  done: ["All challenges are done", ["Thank you! Your answers are stored. You can close this page."]],
  stopped: [
    "The session was stopped",
    ["All that you did is stored. Start herobench play again with the same folder (-o) to go on."],
  ],
};
