// The replay of a game, turn by turn.

const factsIn = facts => facts.map(bare).join(", ");

/** What came of a turn, in words. */
function outcomeOf(turn) {
  const parts = {
    done: () => [
      turn.added.length ? `now true: ${factsIn(turn.added)}` : "",
      ...turn.caused.map(({ added, rule }) => `${bare(added)} follows by ${rule}`),
      turn.milestones.length ? `milestone ${factsIn(turn.milestones)}` : "",
      ...turn.decayed.map(({ fact, age }) => `${bare(fact)} faded at the age of ${age}: the game is lost`),
      turn.solved ? "solved" : "",
    ],
    "precondition-failed": () =>
      turn.unmet.map((fact, number) => {
        const { actions, rules } = turn.hints[number];
        const ways = [...actions, ...rules].join(" or ");
        return `${bare(fact)} is false${ways ? ` (${ways} makes it true)` : ""}`;
      }),
    "format-error": () => [spaced(turn.why.replaceAll("-", " "))],
    control: () => [`the model said ${turn.signal}`],
  };
  return (parts[turn.kind] ? parts[turn.kind]() : []).filter(Boolean).join("; ");
}

const turnMark = turn =>
  el(
    "span",
    { class: turn.kind === "done" ? "ok" : "bad" },
    el("span", { "aria-hidden": "true" }, turn.kind === "done" ? "✓" : "✕"),
    el("span", { class: "unseen" }, KINDS[turn.kind] || turn.kind),
  );

/** What a turn of a road made the rest dearer, in words; empty for a turn without a regret. */
function regretOf({ regret }) {
  return regret ? `the rest is dearer by ${regret} ${regret === 1 ? "hour" : "hours"}` : "";
}

/** All turns; the one that the replay is at is marked. */
class TurnList {
  constructor(player) {
    this.items = player.turns.map((turn, at) =>
      el(
        "li",
        { class: turn.kind === "done" ? null : "refused" },
        el(
          "button",
          { type: "button", onclick: () => player.go(at + 1) },
          el("span", { class: "num at" }, at + 1),
          turnMark(turn),
          el("span", null, el("code", null, turn.said), el("small", null, ` ${turn.kind === "done" ? regretOf(turn) : outcomeOf(turn)}`)),
        ),
      ),
    );
    this.node = el("ol", { class: "turns", tabindex: 0, "aria-label": "Turns" }, this.items);
    player.watch(step => this.show(step));
  }

  show(step) {
    this.items.forEach((item, at) => item.classList.toggle("now", at + 1 === step));
    const item = this.items[step - 1];
    if (item) this.node.scrollTop = item.offsetTop - this.node.clientHeight / 2;
  }
}

class GamePlayer extends Replay {
  constructor(full, given) {
    super(full.panel.turns.length);
    this.turns = full.panel.turns.map((turn, at) => ({ ...turn, regret: full.panel.regrets[at] }));
    this.given = given;
    this.states = new GameStates(given.start, this.turns);
    const failed = this.turns.findIndex(turn => turn.kind !== "done" || turn.decayed.length);
    this.firstError = failed < 0 ? null : failed + 1;
    this.caption = el("p", { class: "caption", "aria-live": "polite", id: "caption" });
    this.state = el("div", { class: "epochs", id: "state" });
    this.controls = new Controls(this);
    const list = new TurnList(this);
    const board = el("div", null, this.caption, this.controls.node, this.state);
    this.timeline = new Timeline(this, given);
    const differsAt = full.panel.differs_at;
    const game = el("div", { class: "game" }, board, list.node);
    this.node = this.section(differsAt === null ? null : differs(differsAt + 1), game);
  }

  show() {
    const { step, turns } = this;
    const turn = step ? turns[step - 1] : null;
    this.controls.show(step);
    this.caption.classList.toggle("refused", Boolean(turn && turn.kind !== "done"));
    this.caption.replaceChildren(
      ...(turn
        ? [turnMark(turn), " ", el("code", null, turn.said), ` ${[outcomeOf(turn), regretOf(turn)].filter(Boolean).join("; ")}`]
        : [`The goal is ${factsIn(this.given.goal)}. Nothing has happened yet.`]),
    );
    this.state.replaceChildren(...statePanel(this.states, step, this.given, this.countdown(step)));
    this.watchers.forEach(watcher => watcher(step));
  }

  /** What is left of the facts that fade, as the last carried out action told it. */
  countdown(step) {
    const done = this.turns.slice(0, step).findLast(turn => turn.kind === "done");
    return (done && done.countdown) || {};
  }
}
