// What a replay is worked with: buttons, a slider, the pace, and choices of the suite.

const PACES = { slow: 1400, normal: 700, fast: 200, "very fast": 50 };
const ICONS = {
  first: "M2 2h2.5v12H2ZM14 2v12L5.5 8Z",
  back: "M12 2v12L3.5 8Z",
  play: "M4 1.5v13L14 8Z",
  pause: "M3 2h4v12H3ZM9.5 2h4v12h-4Z",
  forward: "M4 2v12l8.5-6Z",
  end: "M11.5 2H14v12h-2.5ZM2 2v12l8.5-6Z",
};

function icon(name) {
  const box = { class: "icon", width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" };
  return svg("svg", box, svg("path", { d: ICONS[name] }));
}

function controlButton(id, sign, label, act) {
  return el("button", { type: "button", id, "aria-label": label, title: label, onclick: act }, sign);
}

class Controls {
  constructor(player, ...own) {
    this.player = player;
    const choose = event => player.go(Number(event.target.value));
    const range = { type: "range", min: 0, max: player.last, value: 0, "aria-label": "Step" };
    this.slider = el("input", { id: "slider", class: "slider", ...range, oninput: choose });
    this.counter = el("output", { class: "num", id: "counter", for: "slider" });
    this.play = controlButton("play", icon("play"), "Play (space)", () => player.toggle());
    this.node = el("div", { class: "controls" }, this.buttons(), this.slider, this.choices(own));
  }

  buttons() {
    const { player } = this;
    return el(
      "div",
      { class: "line" },
      controlButton("first", icon("first"), "To the start (Home)", () => player.go(0)),
      controlButton("back", icon("back"), "One step back (left)", () => player.go(player.step - 1)),
      this.play,
      controlButton("forward", icon("forward"), "One step forward (right)", () => player.go(player.step + 1)),
      controlButton("end", icon("end"), "To the end (End)", () => player.go(player.last)),
      this.counter,
    );
  }

  choices(own) {
    const { player } = this;
    const toError = controlButton("to-error", "✕ first error", "Go to the first error (E)", () => player.toError());
    toError.disabled = player.firstError === null;
    const options = Object.entries(PACES).map(([name, value]) =>
      el("option", { value, selected: value === player.pace }, name),
    );
    const setPace = event => {
      player.pace = Number(event.target.value);
    };
    const pace = el("label", { class: "field" }, "Pace ", el("select", { id: "pace", onchange: setPace }, options));
    return el("div", { class: "line" }, toError, pace, own);
  }

  show(step) {
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${this.player.last}`);
    this.counter.textContent = `${step} of ${this.player.last}`;
  }

  playing(yes) {
    const label = yes ? "Pause (space)" : "Play (space)";
    this.play.replaceChildren(icon(yes ? "pause" : "play"));
    this.play.setAttribute("aria-label", label);
    this.play.title = label;
  }
}
