// The causal timeline of a game: turns along the x axis, epochs as lanes. A deed stands in the epoch of the person who
// does it. What follows from it, or arrives in another epoch, stands where it is true, and arrows lead there. A dashed
// arrow leads from such a fact to the first deed that needed it.

const LANE = { left: 74, right: 90, top: 10, height: 124, strip: 44, deeds: 44, rows: [66, 82, 98, 114], step: [17, 46], letter: 6.2 };
const ELSEWHERE = "no epoch";
const bare = fact => fact.replace(/^\(|\)$/g, "");
/** A short name of a fact: what somebody has, or what holds of what, without the epoch that its lane tells. */
function nameOf(fact) {
  const [predicate, ...args] = bare(fact).split(" ");
  const about = (args[args.length - 1] || "").replace(/-(past|present|future)$/, "");
  return predicate === "has" ? about : [predicate, about].filter(Boolean).join(" ");
}
const predicateOf = fact => bare(fact).split(" ")[0];
const KINDS = {
  done: "done",
  "precondition-failed": "refused",
  "format-error": "not understood",
  control: "the model ended the game",
  "api-error": "no reply of the endpoint",
};

/** The facts that a turn makes true elsewhere or by a rule, with their epoch and what they came from. */
function consequences(turn, lanes) {
  const laneOf = fact => lanes[fact] || turn.lane;
  const caused = (turn.caused || []).map(({ added, rule, because, round }) => ({ fact: added, rule, because, round }));
  const sent = (turn.added || []).filter(fact => laneOf(fact) !== turn.lane).map(fact => ({ fact, rule: null, because: [] }));
  return [...sent, ...caused].map(effect => ({ ...effect, lane: laneOf(effect.fact) }));
}

/** All consequences of a game, each with its turn and the first later deed that needed it. */
function causes(turns, lanes) {
  const all = turns.flatMap((turn, at) => consequences(turn, lanes).map(effect => ({ ...effect, turn: at + 1, used: null })));
  const byOrigin = new Map(all.map(effect => [`${effect.turn} ${effect.fact}`, effect]));
  turns.forEach((turn, at) =>
    turn.built_on.forEach(([fact, origin]) => {
      const effect = byOrigin.get(`${origin} ${fact}`);
      if (effect && effect.used === null && turn.kind === "done") effect.used = at + 1;
    }),
  );
  return all;
}

/** For each fact that fades: from which turn to which it was there, and whether it faded. */
function lifetimes(turns) {
  const found = [];
  const open = new Map();
  turns.forEach((turn, at) => {
    if (turn.kind !== "done") return;
    (turn.decayed || []).forEach(({ fact }) => {
      const life = open.get(fact) || { fact, from: at, to: at + 1 };
      if (!open.has(fact)) found.push(life);
      Object.assign(life, { to: at + 1, faded: true });
      open.delete(fact);
    });
    Object.keys(turn.countdown || {}).forEach(fact => {
      if (!open.has(fact)) found.push(open.set(fact, { fact, from: at + 1, to: at + 1, faded: false }).get(fact));
      open.get(fact).to = at + 1;
    });
    [...open.keys()].filter(fact => !Object.hasOwn(turn.countdown || {}, fact)).forEach(fact => open.delete(fact));
  });
  return found;
}

class Timeline {
  constructor(player, given) {
    this.player = player;
    this.turns = player.turns;
    this.lanes = given.lanes;
    const strip = this.turns.some(turn => !turn.lane) ? [ELSEWHERE] : [];
    this.names = [...given.epochs, ...strip];
    this.effects = causes(this.turns, this.lanes);
    this.place = el("div", { class: "timeline scroll" });
    drawToWidth(this.place, width => this.draw(width));
    player.watch(step => this.mark(step));
    this.node = el(
      "section",
      { id: "timeline" },
      el("h2", null, "What made what true, where and when"),
      el("p", { class: "hint" }, "Choose a turn to see the state after it."),
      this.place,
      this.legend(),
      this.table(),
    );
  }

  // -- places ---------------------------------------------------------------------------------------------------------

  top(lane) {
    return LANE.top + this.names.indexOf(this.names.includes(lane) ? lane : ELSEWHERE) * LANE.height;
  }

  x(turn) {
    return LANE.left + (turn - 0.5) * this.step;
  }

  heightOf(lane) {
    return lane === ELSEWHERE ? LANE.strip : LANE.height;
  }

  /** Where a deed stands; in the strip for what has no epoch there are no consequences. */
  deed(turn) {
    const { lane } = this.turns[turn - 1];
    return [this.x(turn), this.top(lane) + (this.names.includes(lane) ? LANE.deeds : LANE.strip / 2)];
  }

  // -- drawing --------------------------------------------------------------------------------------------------------

  draw(width) {
    const [least, most] = LANE.step;
    const room = (width - LANE.left - LANE.right) / Math.max(1, this.turns.length);
    this.step = Math.min(most, Math.max(least, room));
    const wide = Math.max(width, LANE.left + LANE.right + this.step * this.turns.length);
    const lanes = this.names.reduce((sum, name) => sum + this.heightOf(name), 0);
    const tall = LANE.top + lanes + 22;
    this.now = svg("rect", { class: "now-band", y: LANE.top, width: this.step, height: lanes - 4 });
    const settled = this.settle();
    const label = "Causal timeline: deeds, what followed from them, refusals and what faded; a table follows.";
    const made = choosableDrawing(
      wide,
      tall,
      label,
      this.arrowheads(),
      this.frame(wide, tall),
      this.now,
      lifetimes(this.turns).map(life => this.life(life)),
      settled.map(effect => this.arrows(effect, settled)),
      settled.map(effect => this.effect(effect)),
      this.names.map(name => this.labels(name)),
      this.turns.map((turn, at) => this.turn(turn, at + 1)),
    );
    this.mark(this.player.step);
    return made;
  }

  arrowheads() {
    const head = name =>
      svg(
        "marker",
        { id: name, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto", class: name },
        svg("path", { d: "M0 0L8 4L0 8Z" }),
      );
    return svg("defs", null, head("follows-head"), head("needed-head"));
  }

  frame(wide, tall) {
    const lanes = this.names.map((name, number) => {
      const [y, height] = [this.top(name), this.heightOf(name) - 4];
      return [
        svg("rect", { class: `lane lane${number}`, x: 0, y, width: wide, height, rx: 6 }),
        svg("text", { class: "name", x: 8, y: y + Math.min(LANE.deeds, height / 2) + 4 }, name),
      ];
    });
    const every = this.step < 24 ? 5 : 1;
    const numbers = this.turns.map((_, at) =>
      (at + 1) % every === 0 || at === 0
        ? svg("text", { class: "axis", x: this.x(at + 1), y: tall - 6, "text-anchor": "middle" }, at + 1)
        : null,
    );
    return [lanes, numbers];
  }

  /** The consequences with their places, so that no label stands on another. */
  settle() {
    const ends = new Map();
    return this.effects.map(effect => {
      const x = this.x(effect.turn) + Math.min(10, this.step * 0.3);
      const text = nameOf(effect.fact);
      const row = LANE.rows.findIndex((_, number) => (ends.get(`${effect.lane} ${number}`) || 0) <= x);
      const used = row < 0 ? LANE.rows.length - 1 : row;
      ends.set(`${effect.lane} ${used}`, x + 14 + text.length * LANE.letter);
      return { ...effect, x, y: this.top(effect.lane) + LANE.rows[used], text: row < 0 ? "" : text };
    });
  }

  /** Arrows to a consequence from what it came from, and from it to the first deed that needed it. */
  arrows(effect, settled) {
    const here = settled.filter(other => other.turn === effect.turn && effect.because.includes(other.fact));
    const earlier = settled.filter(other => other.turn < effect.turn && effect.because.includes(other.fact));
    const sources = here.length ? here.map(other => [other.x, other.y]) : [this.deed(effect.turn)];
    const shown = sources.concat(earlier.map(other => [other.x, other.y]));
    const lines = shown.map(from => this.arrow("follows", from, [effect.x, effect.y], 6));
    return effect.used ? [...lines, this.arrow("needed", [effect.x, effect.y], this.deed(effect.used), 9)] : lines;
  }

  arrow(look, [x, y], [toX, toY], short) {
    const far = Math.hypot(toX - x, toY - y) || 1;
    const [endX, endY] = [toX - ((toX - x) * short) / far, toY - ((toY - y) * short) / far];
    const bend = look === "needed" ? 0.5 : 0.12;
    const d = `M${x} ${y}C${x + (endX - x) * bend} ${y + (endY - y) * 0.1} ${endX - (endX - x) * bend} ${y + (endY - y) * 0.9} ${endX} ${endY}`;
    return svg("path", { class: look, d, "marker-end": `url(#${look}-head)` });
  }

  /** The tools of the deeds that had consequences, in one lane, as far as there is room. */
  labels(name) {
    let end = 0;
    const acted = [...new Set(this.effects.map(({ turn }) => turn))].filter(turn => this.deed(turn)[1] === this.top(name) + LANE.deeds);
    return acted.map(turn => {
      const [x, y] = this.deed(turn);
      const text = this.turns[turn - 1].said.split(" ")[0];
      const half = (text.length * LANE.letter) / 2;
      if (x - half < end) return null;
      end = x + half;
      return svg("text", { class: "tool", x, y: y - 22, "text-anchor": "middle" }, text);
    });
  }

  effect(effect) {
    const { x, y, text, fact, rule } = effect;
    return svg(
      "g",
      { class: rule ? "effect" : "effect arrived" },
      svg("title", null, `${bare(fact)} ${rule ? `by ${rule}` : "arrives"}`),
      svg("path", { d: `M${x} ${y - 5}L${x + 5} ${y}L${x} ${y + 5}L${x - 5} ${y}Z` }),
      text ? svg("text", { x: x + 9, y: y + 4 }, text) : null,
    );
  }

  life({ fact, from, to, faded }) {
    const y = this.top(this.lanes[fact]) + 8;
    const end = this.x(to);
    return svg(
      "g",
      { class: faded ? "life faded" : "life" },
      svg("title", null, `${bare(fact)} ${faded ? `faded in turn ${to}` : "could fade"}`),
      svg("path", { class: "span", d: `M${this.x(Math.max(1, from))} ${y}H${end}` }),
      faded ? svg("path", { class: "cross", d: `M${end - 5} ${y - 5}l10 10m0 -10l-10 10` }) : null,
      faded ? svg("text", { x: end + 9, y: y + 4 }, "faded") : null,
    );
  }

  turn(turn, number) {
    const [x, y] = this.deed(number);
    const label = `Turn ${number}: ${turn.said}: ${KINDS[turn.kind] || turn.kind}`;
    const reached = (turn.milestones || []).length;
    const shape = {
      done: () => svg("circle", { class: "deed", cx: x, cy: y, r: 5.5 }),
      "precondition-failed": () => svg("path", { class: "refusal", d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10` }),
    }[turn.kind];
    const odd = () => svg("rect", { class: "misread", x: x - 5, y: y - 5, width: 10, height: 10 });
    return choosable(
      { class: "turn" },
      label,
      () => this.player.go(number),
      svg("rect", { class: "hit", x: x - this.step / 2, y: y - 14, width: this.step, height: 28 }),
      (shape || odd)(),
      reached ? svg("text", { class: "star", x, y: y - 9, "text-anchor": "middle" }, "★") : null,
    );
  }

  /** Show which turn the replay is at. */
  mark(step) {
    if (!this.now) return;
    this.now.setAttribute("x", this.x(step) - this.step / 2);
    this.now.classList.toggle("before", step === 0);
    const { scrollLeft, clientWidth } = this.place;
    const x = this.x(step);
    if (x < scrollLeft + LANE.left || x > scrollLeft + clientWidth - LANE.right) this.place.scrollLeft = x - clientWidth / 2;
  }

  // -- below the drawing ----------------------------------------------------------------------------------------------

  legend() {
    const marks = [
      [svg("circle", { class: "deed", cx: 8, cy: 8, r: 5.5 }), "carried out"],
      [svg("path", { class: "refusal", d: "M3 3l10 10m0 -10l-10 10" }), "refused"],
      [svg("rect", { class: "misread", x: 3, y: 3, width: 10, height: 10 }), "not understood, or a signal"],
      [svg("g", { class: "effect" }, svg("path", { d: "M8 3L13 8L8 13L3 8Z" })), "followed by a rule"],
      [svg("g", { class: "effect arrived" }, svg("path", { d: "M8 3L13 8L8 13L3 8Z" })), "arrived from another epoch"],
      [svg("text", { class: "star", x: 3, y: 13 }, "★"), "milestone"],
      [svg("g", { class: "life" }, svg("path", { class: "span", d: "M0 8H16" })), "could fade"],
    ];
    return el(
      "ul",
      { class: "legend small" },
      marks.map(([mark, name]) =>
        el("li", null, svg("svg", { width: 16, height: 16, class: "timeline-key", "aria-hidden": "true" }, mark), name),
      ),
    );
  }

  table() {
    if (!this.effects.length) return null;
    const head = ["turn", "deed", "made true", "epoch", "by", "because", "first needed"];
    const rows = this.effects.map(({ turn, fact, lane, rule, because, used }) => [
      turn,
      this.turns[turn - 1].said,
      bare(fact),
      lane || ELSEWHERE,
      rule || "the deed",
      because.map(bare).join(", ") || DASH,
      used ? `turn ${used}` : DASH,
    ]);
    return el(
      "details",
      { class: "figures", id: "causes" },
      el("summary", null, "What followed, as a table"),
      el("div", { class: "scroll", tabindex: 0 }, plainTable(head, rows, () => false)),
    );
  }
}
