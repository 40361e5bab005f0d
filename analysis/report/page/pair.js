// Two attempts at one task side by side, stepped together. The address keeps the choice: .../STEP/with/RUN/EPOCH.

/** The other attempts at the task of a sample: of other runs, and in other epochs. */
const rivalsOf = sample => SAMPLES.filter(other => other.task === sample.task && other !== sample);

const attemptTitle = sample => `${RUNS[sample.run].name}${several("epoch") ? `, epoch ${sample.epoch}` : ""}`;
const attemptName = sample => `${attemptTitle(sample)}: ${(OUTCOMES[sample.outcome] || [0, sample.outcome])[1]}`;

/** The choice of an attempt that is shown beside; nothing where there is no other one. */
function rivalChoice(sample, beside) {
  const rivals = rivalsOf(sample);
  if (!rivals.length) return null;
  const step = () => (view.player ? view.player.step : 0);
  const go = event => {
    location.hash = addressOf(sample, step(), rivals[event.target.value]);
  };
  const options = rivals.map((rival, value) =>
    el("option", { value, selected: rival === beside }, attemptName(rival)),
  );
  const none = el("option", { value: "", selected: !beside }, "none");
  return el("label", { class: "field" }, "Beside ", el("select", { id: "beside", onchange: go }, none, options));
}

/** The sample before or after, beside the same run in the same way, where that run has tried its task. */
const besideOf = (sample, beside) =>
  beside && rivalsOf(sample).find(rival => rival.run === beside.run && rival.epoch === beside.epoch);

/** Link the players: a step of one is a step of the other. The longer one comes back, which the keys work. */
function linked(players) {
  const [one, other] = players;
  if (!one || !other) return one || other || null;
  let isMoving = false;
  const link = (from, to) =>
    from.watch(step => {
      if (isMoving) return;
      isMoving = true;
      to.go(step);
      isMoving = false;
    });
  link(one, other);
  link(other, one);
  return one.last >= other.last ? one : other;
}

/** Ids are there once on a page: those of the second attempt get another name. Marks in drawings are the same twice. */
function renameIds(node) {
  const renamed = name => node.querySelectorAll(`[${name}]:not(defs *)`);
  for (const name of ["id", "for"])
    for (const found of renamed(name)) found.setAttribute(name, `${found.getAttribute(name)}-beside`);
  return node;
}

function attemptColumn(sample, { full, shown }) {
  return el(
    "section",
    { class: "attempt" },
    el("h2", null, el("a", { href: addressOf(sample) }, attemptTitle(sample))),
    verdict(sample, full.row, full.found),
    facts(full.row),
    shown.nodes,
  );
}

/** The page of two attempts. */
async function pairPage(sample, beside) {
  const [one, other] = await Promise.all([contentOf(sample), contentOf(beside)]);
  const players = [one.shown.player, other.shown.player];
  const hint =
    players[0] && players[1] ? "A step of one is a step of the other. The shorter one waits at its end." : null;
  return {
    nodes: [
      el(
        "header",
        { class: "sample-head" },
        ways(sample, beside),
        el("h1", { tabindex: -1 }, sample.task),
        rivalChoice(sample, beside),
        hint ? el("p", { class: "hint" }, hint) : null,
      ),
      el("div", { class: "attempts" }, attemptColumn(sample, one), renameIds(attemptColumn(beside, other))),
    ],
    player: linked(players),
    players: players.filter(Boolean),
  };
}
