// What can be done in each phase: keys, buttons, and the action that is sent.

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const LARGE = 10;

const does = (keys, label, action, more = {}) => ({ keys, label, action, ...more });
const asks = (keys, label, action, ask, more = {}) => ({ keys, label, action, ask, ...more });

const arrows = Object.entries(ARROWS).map(([key, action]) => does([key], { left: "←", right: "→", up: "↑", down: "↓" }[action], action, { name: action }));
const moves = [
  ...arrows,
  does([" "], "Click on the framed cell", ({ cursor }) => `click ${cursor.x} ${cursor.y}`, { shown: "Space" }),
  does(["n", "."], "Wait a step", "noop", { shown: "N" }),
];
const giveUp = asks(["q"], "Give up", "quit", "quit", { shown: "Q" });

function frames({ number, last }, chosen) {
  const to = place => `choose_frame_${Math.min(last, Math.max(0, place))}`;
  return [
    does(["Home"], "First", to(0), { shown: "Home" }),
    does(["PageUp"], `${LARGE} back`, to(number - LARGE), { shown: "Page ↑" }),
    does(["ArrowLeft"], "Back", to(number - 1), { shown: "←", repeats: true }),
    does(["ArrowRight"], "Next", to(number + 1), { shown: "→", repeats: true }),
    does(["PageDown"], `${LARGE} forward`, to(number + LARGE), { shown: "Page ↓" }),
    does(["End"], "Last", to(last), { shown: "End" }),
    asks(["Enter"], "Submit this picture", chosen ? ["Submit choice"] : [`choose_frame_${number}`, "Submit choice"], "submit", { shown: "Enter", main: true }),
    giveUp,
  ];
}

function film({ film, choices }, option) {
  const done = choices.length > 0;
  const back = does(["ArrowLeft"], "Back", "rewind", { shown: "←", repeats: true });
  const forward = does(["ArrowRight", " ", "n"], "Next picture", "step", { shown: "→", repeats: true });
  const answer = asks(["Enter"], "Answer", `choose_option_${option}`, "option", { shown: "Enter", main: true });
  return [
    ...(done && film.number > 0 ? [back] : []),
    ...(film.number < film.last ? [forward] : []),
    ...(done && option !== null ? [answer] : []),
  ];
}

/** The actions that are possible now. */
export function actionsOf(view, option) {
  switch (view.phase) {
    case "interaction":
      return [
        ...moves,
        ...(view.resets === 0 ? [] : [does(["r"], "Reset", "reset", { shown: "R" })]),
        asks(["t", "Enter"], "Go to the test", "go-to-test", "test", { shown: "T", main: true }),
      ];
    case "planning":
      return [...moves, giveUp];
    case "detection":
      return [
        ...moves,
        ...(view.can_announce ? [asks(["f"], "I found the change", "I found the change!", "found", { shown: "F", main: true })] : []),
        giveUp,
      ];
    case "frames":
      return frames(view.frame, view.frame.chosen);
    default:
      return film(view, option);
  }
}

export const clicks = view => ["interaction", "planning", "detection"].includes(view.phase);
