// The suite autumn's part of the report: the figures of an episode, and the replay of its grid frame by frame.

const REFUSALS = {
  unknown: "no action that was offered",
  "no-reset": "there is no reset in the test",
  "nothing-chosen": "no frame was chosen yet",
};
const PHASES = ["Interaction", "Test"];
const twoDigits = value => known(value, v => fixed(v, 2));

/** All frames of an episode in their order, each with what led to it. */
function framesOf(phases) {
  return phases.flatMap((phase, number) => {
    let { size } = phase;
    let cells = [...phase.first];
    const frames = [{ phase: number, turn: 0, action: null, refused: null, cells, size }];
    phase.turns.forEach((turn, at) => {
      const { action, refused = null, changes = [] } = turn;
      size = turn.size || size;
      cells = turn.size ? [] : [...cells];
      for (let pair = 0; pair + 1 < changes.length; pair += 2) {
        [...String(changes[pair + 1])].forEach((cell, offset) => {
          cells[changes[pair] + offset] = cell;
        });
      }
      frames.push({ phase: number, turn: at + 1, action, refused, cells, size });
    });
    return frames;
  });
}

/** The numbers of the stored frames that a test of detection shows, by the places of its frames. */
function storedNumbers(frames, { family }) {
  let moves = 0;
  let shown = null;
  let announced = false;
  return frames.map(({ phase, action, refused }) => {
    if (family !== "detection" || phase === 0) return null;
    if (action === "I found the change!" && !refused) {
      announced = true;
      return (shown = 0);
    }
    if (!announced) return action === null || refused ? moves : (moves += 1);
    const chosen = /^choose_frame_(\d+)$/.exec(action);
    return chosen && !refused ? (shown = Number(chosen[1])) : shown;
  });
}

/** A grid of colours; a cell without one is hidden. */
function gridPicture(colors, label) {
  const size = colors.length;
  const width = colors[0].length;
  const cells = colors.flatMap((row, y) =>
    row.map((color, x) => {
      const place = { x, y, width: 1, height: 1 };
      return svg("rect", color ? { ...place, fill: color } : { ...place, class: "hidden-cell" });
    }),
  );
  return svg("svg", { viewBox: `0 0 ${width} ${size}`, class: "world-grid", role: "img", "aria-label": label }, cells);
}

const rowsOf = (frame, paint) =>
  Array.from({ length: frame.size }, (_, y) =>
    Array.from({ length: frame.size }, (_, x) => paint[frame.cells[y * frame.size + x].charCodeAt(0) - 48]),
  );

const figure = (caption, picture, mark) =>
  el("figure", { class: mark || null }, picture, el("figcaption", null, caption));

/** The goal, or the choices of a prediction, with the right one and the chosen one marked. */
function askedGrids({ details }, given) {
  if (!given || !(given.goal || given.choices)) return null;
  const marks = number =>
    [number === details.right && "right", number === details.chosen && "chosen"].filter(Boolean).join(", ");
  const shown = given.goal
    ? [figure("Goal", gridPicture(given.goal, "The goal"))]
    : given.choices.map((choice, number) => {
        const said = [`Choice ${number}`, marks(number)].filter(Boolean).join(": ");
        return figure(said, gridPicture(choice, said), number === details.right ? "right-choice" : null);
      });
  return el("div", { class: "asked-grids", id: "asked" }, shown);
}

class WorldPlayer extends Replay {
  constructor(full, frames, given) {
    super(frames.length - 1);
    this.frames = frames;
    this.paint = full.panel.paint;
    this.details = full.row.details;
    this.numbers = storedNumbers(frames, this.details);
    const refused = frames.findIndex(frame => frame.refused);
    this.firstError = refused < 0 ? null : refused;
    this.caption = el("p", { class: "caption", "aria-live": "polite", id: "caption" });
    this.grid = el("div", { class: "world", id: "world" });
    const test = frames.findIndex(frame => frame.phase === 1);
    const toTest = controlButton("to-test", "to the test", "Go to the start of the test", () => this.go(test));
    toTest.disabled = test < 0;
    this.controls = new Controls(this, toTest);
    const asked = askedGrids(full.row, given);
    this.node = this.section(this.caption, this.controls.node, el("div", { class: "world-and-test" }, this.grid, asked));
  }

  show() {
    const frame = this.frames[this.step];
    this.controls.show(this.step);
    this.caption.classList.toggle("refused", Boolean(frame.refused));
    this.caption.replaceChildren(...this.said(frame));
    const label = `${PHASES[frame.phase]}, turn ${frame.turn}`;
    this.grid.replaceChildren(gridPicture(rowsOf(frame, this.paint), label));
    this.watchers.forEach(watcher => watcher(this.step));
  }

  said(frame) {
    const place = `${PHASES[frame.phase]}, turn ${frame.turn}`;
    if (frame.action === null) return [`${place}: the first frame.`];
    const why = frame.refused ? ` nothing happened: ${REFUSALS[frame.refused] || frame.refused}` : "";
    return [`${place}: `, el("code", null, frame.action), why, this.stored()];
  }

  /** What the stored frame is that a test of detection shows; empty elsewhere. */
  stored() {
    const number = this.numbers[this.step];
    if (number === null) return "";
    const { right, chosen } = this.details;
    const marks = [number === right && "the first changed one", number === chosen && "chosen at last"].filter(Boolean);
    return ` Frame ${[number, ...marks].join(", ")}.`;
  }
}

function worldPlayer(full, given) {
  const events = full.row.events;
  if (!events || !full.panel.paint || !Array.isArray(events.phases)) return null;
  return new WorldPlayer(full, framesOf(events.phases), given);
}

/** The shares of the classes among the distinct actions. */
const census = details =>
  ["click", "arrow", "noop", "reset"]
    .filter(name => details[`${name}_share`])
    .map(name => `${name} ${Math.round(100 * details[`${name}_share`])} %`)
    .join(", ");

PANELS.autumn = {
  facts: ({ details }) => [
    ["Environment", details.environment || DASH],
    ["Ending", spaced(details.ending)],
    ["Reward of the published code", twoDigits(details.reference_reward)],
    ["Chosen", known(details.chosen, v => `${v}${details.right === null ? "" : ` (right ${details.right})`}`)],
    ["Interaction", whole(details.interaction_steps)],
    ["Test", whole(details.test_steps)],
    ["Refused", whole(details.unknown_actions)],
    ["Distinct actions", whole(details.distinct_actions)],
    ["Of them", census(details)],
    ["Resets", whole(details.resets)],
    ["Perplexity, area", twoDigits(details.perplexity_auc)],
    ["Perplexity, last", twoDigits(details.perplexity_last)],
  ],
  ended: row => (row.events && row.events.error ? `The program failed: ${row.events.error}` : null),
  show: (sample, full, given) => {
    const player = worldPlayer(full, given);
    const none = el("p", { class: "hint" }, "This sample has no frames.");
    return { nodes: [player ? player.node : none], player };
  },
  texts: (full, given) => [
    ["The program", given && given.program, "program"],
    ["The changed program", given && given.changed, "changed"],
  ],
};
