// A replay: a step at a time, forward and back, by buttons, slider and keys. A suite's own replay extends it: it has
// `caption`, an element that says what the step is, and `controls`, and it draws a step in show().

const KEYS = "Replay. Space plays and pauses, arrows step, Home and End go to the ends, E goes to the first error.";

const differs = step =>
  el(
    "p",
    { class: "note", id: "differs" },
    `The replay ends before step ${step}: played again, that action does not come out as stored. ` +
      "What this report was given of the game is not that of the run.",
  );

class Replay {
  constructor(last) {
    this.last = last;
    this.step = 0;
    this.firstError = null;
    this.pausesAt = null; // the step at which playing stops, once; it goes on when it is played again
    this.pace = PACES.normal;
    this.watchers = [];
  }

  /** The section of the page that listens to the keys. */
  section(...content) {
    const about = { class: "replay", id: "replay", tabindex: 0, role: "group", "aria-label": KEYS };
    this.box = el("section", about, el("h2", null, "Replay"), content);
    return this.box;
  }

  /** Be told of each step. */
  watch(watcher) {
    this.watchers.push(watcher);
  }

  go(wanted, playing = false) {
    if (!playing) this.pause();
    this.step = Math.min(Math.max(0, wanted), this.last);
    this.show();
  }

  toError() {
    if (this.firstError !== null) this.go(this.firstError);
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.step >= this.last) this.step = 0;
    this.caption.setAttribute("aria-live", "off");
    this.controls.playing(true);
    this.tick();
  }

  tick() {
    this.timer = setTimeout(() => {
      this.go(this.step + 1, true);
      if (this.step < this.last && this.step !== this.pausesAt) this.tick();
      else this.pause();
    }, this.pace);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.caption.setAttribute("aria-live", "polite");
    this.controls.playing(false);
  }

  /** What a key does here; whether it did anything comes back. */
  key(name) {
    const keys = {
      " ": () => this.toggle(),
      ArrowRight: () => this.go(this.step + 1),
      ArrowLeft: () => this.go(this.step - 1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      e: () => this.toError(),
      E: () => this.toError(),
    };
    if (!keys[name]) return false;
    keys[name]();
    return true;
  }
}
