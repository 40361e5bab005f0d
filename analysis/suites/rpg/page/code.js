// The plan with its lines numbered and the failing ones marked, and the list of events, a window of it at a time.

/** More lines than anybody reads; the answer has them all. */
const MOST_LINES = 5000;

/** What is to be said of lines: the cause of the loss first, then what was refused there, then where the plan ended. */
function remarks(row, found, world) {
  const lines = new Map();
  const say = (line, kind, text) => line && lines.set(line, [...(lines.get(line) || []), { kind, text }]);
  if (found) say(found.line, "cause", `◆ lost by: ${causeText(found, world)}`);
  const { details, events } = row;
  const failed = (events ? events.actions : []).map(eventOf).filter(event => !event.ok);
  const refused = Map.groupBy(failed, event => event.line);
  refused.forEach((those, line) => {
    const sum = those.reduce((total, event) => total + event.times, 0);
    const [{ status, reason }] = those;
    say(line, "refused", `✕ refused${sum > 1 ? ` ${whole(sum)} times, first` : ""}: ${status} ${reason}`);
  });
  say(details.end_line, "ended", `■ ended here: ${details.end_reason || details.end_kind || ""}`);
  return lines;
}

/** The plan; `notes` has the remarks on its lines. */
function planCode(text, notes) {
  const all = text.split("\n");
  const lines = all.slice(0, MOST_LINES).map((code, at) => {
    const said = notes.get(at + 1) || [];
    return el(
      "li",
      { class: said.length ? `marked ${said[0].kind}` : null },
      el("code", null, code || "\u200b"),
      said.map(({ kind, text: remark }) => el("span", { class: `remark ${kind}` }, remark)),
    );
  });
  const more = all.length > MOST_LINES ? el("li", null, `… and ${whole(all.length - MOST_LINES)} lines more`) : null;
  const list = el("ol", { class: "code", tabindex: 0, "aria-label": "The plan" }, lines, more);
  return {
    node: list,
    show: number => {
      list.querySelectorAll(".now").forEach(item => item.classList.remove("now"));
      const item = lines[number - 1];
      if (item) {
        item.classList.add("now");
        keepInSight(list, item);
      }
    },
  };
}

/** Scroll a box, and never the page, so that something in it can be seen. */
function keepInSight(box, item) {
  const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top + 24 || inner.bottom > outer.bottom - 24)
    box.scrollTop += inner.top - outer.top - outer.height / 3;
}

const WINDOW = 200;

class EventList {
  constructor(player) {
    this.player = player;
    this.body = el("ol", { class: "events", tabindex: 0, "aria-label": "Events" });
    this.errorsOnly = false;
    const only = event => {
      this.errorsOnly = event.target.checked;
      this.first = undefined;
      this.show(this.player.step);
    };
    const refused = player.events.filter(event => !event.ok).length;
    this.node = el(
      "div",
      null,
      el(
        "p",
        { class: "hint" },
        `${count(player.events.length, "entry", "entries")}, ${whole(refused)} refused. `,
        refused
          ? el("label", { class: "check" }, el("input", { type: "checkbox", onchange: only }), " refused only")
          : null,
      ),
      this.body,
    );
  }

  /** Have the entry of a step in the window, and marked. */
  show(step) {
    const all = this.player.events
      .map((event, at) => ({ event, step: at + 1 }))
      .filter(item => !this.errorsOnly || !item.event.ok);
    const at = Math.max(
      0,
      all.findIndex(item => item.step >= step),
    );
    const first = Math.floor(at / WINDOW) * WINDOW;
    if (first !== this.first) this.draw(all, first);
    this.body.querySelectorAll(".now").forEach(item => item.classList.remove("now"));
    const item = this.items.get(step);
    if (item) {
      item.classList.add("now");
      keepInSight(this.body, item);
    }
  }

  draw(all, first) {
    this.first = first;
    const shown = all.slice(first, first + WINDOW);
    this.items = new Map(shown.map(item => [item.step, this.item(item)]));
    const turn = (text, to) =>
      el(
        "li",
        { class: "turn" },
        el("button", { type: "button", class: "quiet", onclick: () => this.player.go(all[to].step) }, text),
      );
    this.body.replaceChildren(
      ...[
        first > 0 && turn(`‹ ${first} before`, first - 1),
        ...this.items.values(),
        first + WINDOW < all.length && turn(`${all.length - first - WINDOW} after ›`, first + WINDOW),
      ].filter(Boolean),
    );
  }

  item({ event, step }) {
    return el(
      "li",
      { class: [event.ok ? "" : "refused", step === this.player.blamed ? "cause" : ""].join(" ").trim() || null },
      el(
        "button",
        { type: "button", onclick: () => this.player.go(step) },
        el("span", { class: "num at" }, step),
        statusMark(event),
        el(
          "span",
          null,
          el("code", null, callText(event)),
          times(event),
          el("small", null, ` ${outcomeText(event, this.player.world, this.player.map)}`),
          step === this.player.blamed ? el("small", { class: "blame" }, " ◆ the cause") : null,
        ),
        el("span", { class: "num line" }, event.line ? `line ${event.line}` : ""),
      ),
    );
  }
}
