// The replay of a plan on the map. It shows states; it makes none.

class Player extends Replay {
  constructor(sample, full, given, world) {
    super(full.panel.changes.length);
    this.sample = sample;
    this.world = world;
    this.events = full.row.events.actions.map(eventOf);
    this.states = new States(given.start, full.panel.changes);
    this.blamed = this.findCause(full.row, full.found);
    const { repair } = full.panel;
    const lost = repair && repair.calls !== null ? this.stepAfter(repair.calls + 1) : null;
    this.pausesAt = lost;
    this.repair = repair;
    this.firstError = lost || this.blamed || this.findError(full.row, full.found);
    this.map = new WorldMap(this.world, full.row.details.target);
    this.node = this.layout(full.panel.differs_at);
  }

  /** The step of an entry, null where there is none or the replay does not get there. */
  stepOf(wanted) {
    const step = this.events.findIndex(wanted) + 1;
    return step > 0 && step <= this.last ? step : null;
  }

  /** The step that holds a call, by its number from 1; null where the replay does not get there. */
  stepAfter(calls) {
    let done = 0;
    return this.stepOf(event => (done += event.times) >= calls);
  }

  /** What failed in the line of the cause: first what was about the same thing, then whatever was first. */
  findCause(row, found) {
    if (!found || found.line === null) return null;
    const failed = event => event.line === found.line && (!event.ok || lostFight(event));
    const named = (_, at) => JSON.stringify(row.events.actions[at]).includes(JSON.stringify(found.subject));
    return this.stepOf((event, at) => failed(event) && named(event, at)) || this.stepOf(failed);
  }

  /** Where nothing failed there: what was refused first, where the plan broke off, or what that line did. */
  findError(row, found) {
    const refused = this.stepOf(event => !event.ok);
    const end = row.details.end_kind && this.last ? this.last : null;
    return refused || end || (found ? this.stepOf(event => event.line === found.line) : null);
  }

  layout(differsAt) {
    this.caption = el("p", { class: "caption", "aria-live": "polite", id: "caption" });
    this.lack = el("div", { id: "lost-here" });
    this.fight = el("div", { class: "fights" });
    this.hero = el("div", { class: "hero-panel" });
    this.controls = new Controls(this, this.nearHero());
    const key = el("details", { class: "figures" }, el("summary", null, "What is what on the map"), this.map.legend());
    const board = el("div", { class: "board" }, this.caption, this.lack, this.map.node, this.controls.node, key);
    const side = el("div", { class: "side" }, this.fight, this.hero);
    const stage = el("div", { class: "stage" }, board, side);
    return this.section(differsAt === null ? null : differs(differsAt + 1), stage);
  }

  show() {
    const { step, events } = this;
    const now = this.states.at(step);
    const before = step ? this.states.at(step - 1) : now;
    const event = step ? events[step - 1] : null;
    this.map.show(now.place, this.cameBy(step));
    this.controls.show(step);
    this.caption.replaceChildren(
      ...(event
        ? [
            statusMark(event),
            " ",
            el("code", null, callText(event)),
            times(event) || "",
            ` ${outcomeText(event, this.world, this.map)}`,
          ]
        : [
            "The hero stands at ",
            `${this.map.nameOf(now.place)} (${now.place.join(", ")}), and nothing has happened yet.`,
          ]),
    );
    this.lack.replaceChildren(...(step && step === this.pausesAt ? repairTold(this.repair) : []));
    this.caption.classList.toggle("refused", Boolean(event && !event.ok));
    this.fight.replaceChildren(...[event && fightCard(event, this.world, before)].filter(Boolean));
    this.hero.replaceChildren(...heroPanel(this.world, now, before));
    this.watchers.forEach(watcher => watcher(step));
  }

  /** The choice whether the map follows the hero. */
  nearHero() {
    const zoom = event => this.map.zoom(event.target.checked);
    const follow = el("input", { type: "checkbox", id: "follow", checked: this.map.follow, onchange: zoom });
    return el("label", { class: "check" }, follow, " near the hero");
  }

  /** Where he was before, latest last. */
  cameBy(step) {
    const places = [];
    for (let at = step - 1; at >= 0 && places.length < TRAIL; at--)
      if (this.states.changes[at].place) places.unshift(this.states.changes[at].place);
    places.pop();
    return places.length < TRAIL - 1 && step && this.moved(step) ? [this.states.kept[0].place, ...places] : places;
  }

  moved(step) {
    return this.states.changes.slice(0, step).some(change => change.place);
  }
}
