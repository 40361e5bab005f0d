// All samples: filtered, sorted, a page at a time, so that thousands of rows cost what fifty do.

const several = name => new Set(SAMPLES.map(sample => sample[name])).size > 1;
const link = sample => el("a", { href: addressOf(sample) }, sample.task);
const FIELDS = [
  { name: "task", title: "Task", show: link },
  { name: "run", title: "Run", show: s => RUNS[s.run].name, value: s => RUNS[s.run].name, when: () => RUNS.length > 1 },
  { name: "epoch", title: "Epoch", numeric: true, show: s => s.epoch, when: () => several("epoch") },
  { name: "bracket", title: "Bracket", wide: true, show: s => s.bracket },
  { name: "kind", title: "Kind", wide: true, show: s => spaced(s.kind) },
  { name: "outcome", title: "Outcome", show: s => outcomeMark(s.outcome) },
  { name: "score", title: "Score", numeric: true, show: s => tenth(s.score) },
  { name: "progress", title: "Progress", numeric: true, wide: true, show: s => tenth(s.progress) },
  { name: "failure", title: "Failure", show: s => spaced(s.failure) },
  { name: "error", title: "First error", wide: true, show: s => spaced(s.error) },
  { name: "actions", title: "Actions", numeric: true, wide: true, show: s => whole(s.actions) },
  {
    name: "tokens",
    title: "Tokens",
    numeric: true,
    wide: true,
    show: s => whole(s.tokens),
    when: () => several("tokens"),
  },
  { name: "cost", title: "Cost", numeric: true, wide: true, show: s => money(s.cost), when: () => several("cost") },
].filter(field => !field.when || field.when());

const FILTERS = [
  { name: "run", title: "Run", label: value => RUNS[value].name },
  { name: "bracket", title: "Bracket" },
  { name: "kind", title: "Kind", label: spaced },
  { name: "outcome", title: "Outcome", label: value => (OUTCOMES[value] || [0, value])[1] },
  { name: "failure", title: "Failure", label: spaced },
].filter(filter => several(filter.name));

const PAGE_ROWS = 50;

class SampleTable {
  constructor() {
    this.chosen = {};
    this.text = "";
    this.order = null;
    this.page = 0;
    this.rows = SAMPLES;
    this.body = el("tbody");
    this.status = el("p", { class: "status", role: "status" });
    this.pager = el("nav", { class: "pager", "aria-label": "Pages of the table" });
    this.heads = FIELDS.map(field => this.head(field));
    this.node = this.layout();
    this.refresh();
  }

  layout() {
    return el(
      "section",
      { class: "samples", id: "samples" },
      el("h2", null, "Samples"),
      this.filters(),
      this.status,
      el(
        "div",
        { class: "scroll" },
        el(
          "table",
          { class: "rows", "aria-label": "Samples" },
          el("thead", null, el("tr", null, this.heads)),
          this.body,
        ),
      ),
      this.pager,
    );
  }

  head(field) {
    const look = [field.numeric ? "num" : "", field.wide ? "wide" : ""].join(" ").trim();
    const button = el(
      "button",
      { type: "button", onclick: () => this.sortBy(field) },
      field.title,
      el("span", { class: "arrow", "aria-hidden": "true" }),
    );
    return el("th", { scope: "col", class: look, "data-field": field.name }, button);
  }

  filters() {
    this.selects = FILTERS.map(filter => {
      const values = [...new Set(SAMPLES.map(sample => sample[filter.name]))]
        .filter(value => value !== null)
        .sort(compare);
      const options = values.map(value => el("option", { value }, (filter.label || String)(value)));
      const change = event => {
        this.chosen[filter.name] = event.target.value;
        this.refresh();
      };
      return el(
        "select",
        { id: `filter-${filter.name}`, onchange: change },
        el("option", { value: "" }, "all"),
        options,
      );
    });
    this.search = el("input", {
      type: "search",
      id: "filter-text",
      placeholder: "part of the id",
      oninput: event => {
        this.text = event.target.value.toLowerCase();
        this.refresh();
      },
    });
    return el(
      "form",
      { class: "filters", onsubmit: event => event.preventDefault() },
      FILTERS.map((filter, number) => el("label", { class: "field" }, filter.title, this.selects[number])),
      el("label", { class: "field" }, "Task", this.search),
      el("button", { type: "button", class: "quiet", onclick: () => this.choose({}) }, "Clear"),
    );
  }

  /** Filter by just these values, and go there. */
  choose(values) {
    this.chosen = { ...values };
    this.search.value = this.text = "";
    FILTERS.forEach((filter, number) => {
      this.selects[number].value = values[filter.name] || "";
    });
    this.refresh();
    if (Object.keys(values).length) this.node.scrollIntoView();
  }

  sortBy(field) {
    const again = this.order && this.order.field === field;
    this.order = again && this.order.down ? null : { field, down: Boolean(again) };
    this.heads.forEach(head => head.removeAttribute("aria-sort"));
    if (this.order)
      this.heads[FIELDS.indexOf(field)].setAttribute("aria-sort", this.order.down ? "descending" : "ascending");
    this.refresh();
  }

  refresh() {
    const wanted = Object.entries(this.chosen).filter(([, value]) => value !== "" && value !== undefined);
    this.rows = SAMPLES.filter(
      sample =>
        wanted.every(([name, value]) => String(sample[name]) === value) &&
        (!this.text || sample.task.toLowerCase().includes(this.text)),
    );
    if (this.order) {
      const { field, down } = this.order;
      const value = field.value || (sample => sample[field.name]);
      const missing = sample => value(sample) === null || value(sample) === undefined;
      this.rows.sort((a, b) => missing(a) - missing(b) || (down ? -1 : 1) * compare(value(a), value(b)));
    }
    this.turn(0);
  }

  turn(page) {
    this.page = page;
    const first = page * PAGE_ROWS;
    const shown = this.rows.slice(first, first + PAGE_ROWS);
    this.body.replaceChildren(
      ...shown.map(sample =>
        el(
          "tr",
          null,
          FIELDS.map(field =>
            el(
              "td",
              { class: [field.numeric ? "num" : "", field.wide ? "wide" : ""].join(" ").trim() || null },
              field.show(sample),
            ),
          ),
        ),
      ),
    );
    const wins = this.rows.filter(sample => sample.outcome === "win").length;
    this.status.textContent = this.rows.length
      ? `${first + 1} to ${first + shown.length} of ${count(this.rows.length, "sample")}, ${whole(wins)} won`
      : "No sample is like that.";
    this.drawPager();
  }

  drawPager() {
    const last = Math.ceil(this.rows.length / PAGE_ROWS) - 1;
    const button = (text, label, page) =>
      el(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": label,
          disabled: page < 0 || page > last || page === this.page,
          onclick: () => this.turn(page),
        },
        text,
      );
    this.pager.replaceChildren(
      ...(last < 1
        ? []
        : [
            button("« first", "First page", 0),
            button("‹ before", "Page before", this.page - 1),
            el("span", null, `page ${this.page + 1} of ${last + 1}`),
            button("next ›", "Next page", this.page + 1),
            button("last »", "Last page", last),
          ]),
    );
  }

  /** The samples beside one, in the order that the table has now. */
  beside(sample) {
    const at = this.rows.indexOf(sample);
    const all = at < 0 ? SAMPLES : this.rows;
    const here = at < 0 ? SAMPLES.indexOf(sample) : at;
    return [all[here - 1], all[here + 1]];
  }
}

const TABLE = new SampleTable();
