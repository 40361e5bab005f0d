// Why attempts were lost, by group: a table for one run at a time, whose cells lead to their samples.

/** What a run's losses are told apart by: the causes, or the failure classes if no sample has a cause. */
const toldBy = figures =>
  Object.keys(figures.causes).length ? { field: "cause", all: "causes" } : { field: "failure", all: "failures" };

/** From the most frequent on. */
const byFrequency = counts => Object.keys(counts).sort((a, b) => counts[b] - counts[a] || compare(a, b));

/** How many of a group were lost in a way. The deepest colour is for the largest share in the table. */
function heatCell({ name, times, of, where, share, choose }) {
  const about = `${spaced(name)}, ${where}: ${times} of ${of} (${percent(of ? times / of : 0)} %)`;
  const press = () => times && choose();
  const look = { type: "button", class: times ? "cell full" : "cell", "aria-label": about, title: about };
  const cell = el("button", { ...look, "aria-disabled": times ? null : "true", onclick: press }, times || "·");
  cell.style.setProperty("--share", share.toFixed(3));
  return cell;
}

/** The table of a run, or a sentence where nothing can be told apart. */
function heatMap(number) {
  const { figures } = RUNS[number];
  const { field, all } = toldBy(figures);
  const names = byFrequency(figures[all]);
  if (!names.length) return el("p", { class: "hint" }, whyNoHeat(figures));
  const shareOf = (counted, name) => (counted.count ? (counted[all][name] || 0) / counted.count : 0);
  const most = Math.max(...figures.groups.flatMap(([, counted]) => names.map(name => shareOf(counted, name))));
  const cell = (name, counted, where, share, values) => {
    const [times, of] = [counted[all][name] || 0, counted.count];
    const choose = () => TABLE.choose({ run: String(number), [field]: name, ...values });
    return heatCell({ name, times, of, where, share, choose });
  };
  const rows = names.map(name => [
    ...figures.groups.map(([group, counted]) =>
      cell(name, counted, placeOf(group), shareOf(counted, name) / most, {
        [GROUP]: group,
      }),
    ),
    cell(name, figures, `all ${GROUP_WORD.replace(/s?$/, "s")}`, 0, {}),
  ]);
  return heatTable(number, names, rows);
}

function heatTable(number, names, rows) {
  const heads = [...RUNS[number].figures.groups.map(([group]) => groupName(group)), "total"];
  const head = el(
    "tr",
    null,
    el("td"),
    heads.map(name => el("th", { scope: "col" }, name)),
  );
  const body = rows.map((cells, row) =>
    el(
      "tr",
      null,
      el("th", { scope: "row", title: INDEX.causes[names[row]] }, spaced(names[row])),
      cells.map(one => el("td", null, one)),
    ),
  );
  const about = `Why attempts of ${RUNS[number].name} were lost, by ${GROUP_WORD}.`;
  const label = `${about} Arrows move, Enter shows the samples.`;
  const table = el("table", { class: "heat", role: "grid", "aria-label": label }, el("thead", null, head));
  table.append(el("tbody", null, body));
  const cells = rows.flat();
  const first = cells.find(one => one.classList.contains("full"));
  return el("div", { class: "scroll" }, roving(table, cells, { across: heads.length, first }));
}

function whyNoHeat({ count: measured, wins }) {
  if (!measured) return "Nothing was measured in this run.";
  const lost = count(measured - wins, "loss", "losses");
  return measured === wins ? "Nothing was lost in this run." : `The rows do not say what ${lost} came from.`;
}

const definitions = () =>
  el(
    "details",
    { class: "figures", open: !matchMedia(NARROW_SCREEN).matches },
    el("summary", null, "What the causes mean"),
    el(
      "dl",
      { class: "meanings" },
      Object.entries(INDEX.causes).map(([name, text]) => [el("dt", null, spaced(name)), el("dd", null, text)]),
    ),
  );

function heatCard() {
  const lost = RUNS.findIndex(run => run.figures.count > run.figures.wins);
  const place = el("div", { id: "heat" });
  const show = number => place.replaceChildren(heatMap(number));
  show(Math.max(0, lost));
  const options = RUNS.map((run, number) => el("option", { value: number, selected: number === lost }, run.name));
  const choice = { id: "heat-run", onchange: event => show(Number(event.target.value)) };
  const known = Object.keys(INDEX.causes).length > 0;
  const words = known ? "The first cause of each loss" : "The class of each loss";
  return el(
    "section",
    { class: "card whole" },
    el("h2", null, `Why attempts were lost, by ${GROUP_WORD}`),
    el("p", { class: "hint" }, `${words}: how many, deeper where it is a larger share. Choose a cell for its samples.`),
    RUNS.length > 1 ? el("label", { class: "field" }, "Run ", el("select", choice, options)) : null,
    el("div", { class: "beside" }, place, known ? definitions() : null),
  );
}
