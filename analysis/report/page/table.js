// All samples: filtered, sorted, a page at a time, so that thousands of rows cost what fifty do. What is shown stands
// in the address, #?bracket=9&cause=too_few&task=drake&sort=-score&page=2: a view can be linked, and Back goes back.

const isNumber = name => SAMPLES.some(sample => typeof sample[name] === "number");
/** A text that may be broken where its words end. */
const breakable = text => text.split(/(?<=[_/])/).flatMap(word => [word, el("wbr")]);
const REPEATED = several("epoch");
/** The task; on a narrow screen also what tells its samples apart, which has columns of its own on a wide one. */
const link = sample => [
  el("a", { href: addressOf(sample) }, breakable(sample.task)),
  RUNS.length > 1 ? el("small", { class: "narrow" }, RUNS[sample.run].name) : null,
  REPEATED ? el("small", { class: "narrow" }, `epoch ${sample.epoch}`) : null,
];
const causeMark = ({ cause, status, error }) =>
  cause ? el("span", { title: INDEX.causes[cause] }, spaced(cause)) : status === "ok" ? DASH : spaced(error);
const CAUSES = SAMPLES.some(sample => sample.cause);
const FIELDS = [
  { name: "task", title: "Task", show: link },
  {
    name: "run",
    title: "Run",
    wide: true,
    show: s => RUNS[s.run].name,
    value: s => RUNS[s.run].name,
    when: () => RUNS.length > 1,
  },
  { name: "epoch", title: "Epoch", num: true, wide: true, show: s => s.epoch, when: () => REPEATED },
  { name: GROUP, title: titled(GROUP_WORD), wide: true, show: s => groupName(s.group) },
  ...LISTED.filter(([name]) => !isNumber(name)).map(([name, title]) => ({
    name,
    title,
    wide: true,
    show: s => spaced(s[name]),
  })),
  { name: "outcome", title: "Outcome", show: s => outcomeMark(s.outcome) },
  { name: "score", title: "Score", num: true, show: s => tenth(s.score) },
  {
    name: "progress",
    title: "Progress",
    num: true,
    wide: true,
    show: s => tenth(s.progress),
    when: () => isNumber("progress"),
  },
  { name: "failure", title: "Failure", wide: CAUSES, show: s => spaced(s.failure) },
  { name: "cause", title: "Cause", words: true, show: causeMark, when: () => CAUSES },
  { name: "error", title: "Error", wide: true, show: s => spaced(s.error), when: () => !CAUSES },
  ...LISTED.filter(([name]) => isNumber(name)).map(([name, title]) => ({
    name,
    title,
    num: true,
    wide: true,
    show: s => whole(s[name]),
  })),
  {
    name: "tokens",
    title: "Tokens",
    num: true,
    wide: true,
    show: s => whole(s.tokens),
    when: () => several("tokens"),
  },
  { name: "cost", title: "Cost", num: true, wide: true, show: s => money(s.cost), when: () => several("cost") },
].filter(field => !field.when || field.when());

const FILTERS = [
  { name: "run", title: "Run", label: value => RUNS[value].name, written: value => RUNS[value].name },
  { name: GROUP, title: titled(GROUP_WORD), label: groupName },
  ...LISTED.filter(([name]) => !isNumber(name)).map(([name, title]) => ({ name, title, label: spaced })),
  { name: "outcome", title: "Outcome", label: value => (OUTCOMES[value] || [0, value])[1] },
  { name: "failure", title: "Failure", label: spaced },
  { name: "cause", title: "Cause", label: spaced },
].filter(filter => several(filter.name));

/** The values to filter by, and how each is written in an address. */
FILTERS.forEach(filter => {
  const found = [...new Set(SAMPLES.map(sample => sample[filter.name]))].filter(value => value !== null).sort(compare);
  filter.values = found.map(String);
  const written = filter.written || String;
  filter.written = value => wellFormed(written(value));
});

const lookOf = field => ["num", "wide", "words"].filter(look => field[look]).join(" ") || null;

const PAGE_ROWS = 50;
const PAUSE = 300;

class SampleTable {
  constructor() {
    this.chosen = {};
    this.text = "";
    this.order = null;
    this.page = 0;
    this.typing = false;
    this.rows = SAMPLES;
    this.body = el("tbody", { onkeydown: event => this.toRowBeside(event) });
    this.title = el("h2", { tabindex: -1 }, "Samples");
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
      this.title,
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
    const button = el(
      "button",
      { type: "button", onclick: () => this.sortBy(field) },
      field.title,
      el("span", { class: "arrow", "aria-hidden": "true" }),
    );
    return el("th", { scope: "col", class: lookOf(field), "data-field": field.name }, button);
  }

  filters() {
    this.selects = FILTERS.map(filter => {
      const options = filter.values.map(value => el("option", { value }, (filter.label || String)(value)));
      const change = event => {
        this.chosen[filter.name] = event.target.value;
        this.refresh();
        this.write();
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
      oninput: event => this.type(event.target.value),
      onchange: () => {
        this.write(true);
        this.typing = false;
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
    this.set(values, "");
    this.refresh();
    this.write();
    if (!Object.keys(values).length) return;
    this.node.scrollIntoView();
    this.title.focus({ preventScroll: true });
  }

  set(values, text) {
    this.chosen = { ...values };
    this.search.value = this.text = text;
    FILTERS.forEach((filter, number) => {
      this.selects[number].value = values[filter.name] || "";
    });
  }

  sortBy(field) {
    const again = this.order && this.order.field === field;
    this.order = again && this.order.down ? null : { field, down: Boolean(again) };
    this.refresh();
    this.write();
  }

  type(text) {
    this.text = text;
    this.refresh();
    if (!this.typing) this.write();
    this.typing = true;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.write(true), PAUSE);
  }

  // -- the address ----------------------------------------------------------------------------------------------------

  address() {
    const query = new URLSearchParams();
    FILTERS.forEach(filter => {
      const value = this.chosen[filter.name];
      if (value) query.set(filter.name, filter.written(value));
    });
    if (this.text) query.set("task", this.text);
    if (this.order) query.set("sort", (this.order.down ? "-" : "") + this.order.field.name);
    if (this.page) query.set("page", this.page + 1);
    const text = query.toString();
    return text ? `#?${text}` : "#";
  }

  /** Have what is shown in the address: as a new place to come back to, or instead of the old one. */
  write(instead = false) {
    clearTimeout(this.pause);
    this.typing = instead && this.typing;
    const address = this.address();
    if (address !== (location.hash || "#")) history[instead ? "replaceState" : "pushState"](null, "", address);
  }

  /** Show what an address says; what it says of nothing that is here is passed over. */
  read(hash) {
    clearTimeout(this.pause);
    this.typing = false;
    const query = new URLSearchParams(hash.startsWith("#?") ? hash.slice(2) : "");
    const meant = filter => filter.values.find(value => filter.written(value) === query.get(filter.name));
    this.set(Object.fromEntries(FILTERS.map(filter => [filter.name, meant(filter)])), query.get("task") || "");
    const sort = query.get("sort") || "";
    const field = FIELDS.find(one => one.name === sort.replace(/^-/, ""));
    this.order = field ? { field, down: sort.startsWith("-") } : null;
    this.refresh(Math.max(0, Math.floor(Number(query.get("page")) || 1) - 1));
  }

  // -- what is shown --------------------------------------------------------------------------------------------------

  refresh(page = 0) {
    const text = this.text.toLowerCase();
    const wanted = Object.entries(this.chosen).filter(([, value]) => value !== "" && value !== undefined);
    this.rows = SAMPLES.filter(
      sample =>
        wanted.every(([name, value]) => String(sample[name]) === value) &&
        (!text || sample.task.toLowerCase().includes(text)),
    );
    if (this.order) {
      const { field, down } = this.order;
      const value = field.value || (sample => sample[field.name]);
      const missing = sample => value(sample) === null || value(sample) === undefined;
      this.rows.sort((a, b) => missing(a) - missing(b) || (down ? -1 : 1) * compare(value(a), value(b)));
    }
    this.heads.forEach((head, number) => {
      const here = this.order && this.order.field === FIELDS[number];
      if (here) head.setAttribute("aria-sort", this.order.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    this.turn(Math.min(page, this.lastPage()));
  }

  lastPage() {
    return Math.max(0, Math.ceil(this.rows.length / PAGE_ROWS) - 1);
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
              { class: lookOf(field) },
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
    const last = this.lastPage();
    const focused = this.pager.contains(document.activeElement) && document.activeElement.ariaLabel;
    const button = (text, label, page) =>
      el(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": label,
          disabled: page < 0 || page > last || page === this.page,
          onclick: () => {
            this.turn(page);
            this.write();
          },
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
    const find = selector => this.pager.querySelector(selector);
    const again = focused && (find(`[aria-label="${focused}"]:enabled`) || find("button:enabled"));
    if (again) again.focus();
  }

  /** The arrows go from row to row. */
  toRowBeside(event) {
    const links = [...this.body.querySelectorAll("a")];
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const to = way && links[links.indexOf(event.target) + way];
    if (!to) return;
    event.preventDefault();
    to.focus();
  }

  /** Have the focus on a sample's row, where it is on this page of the table. */
  focusOn(sample) {
    const row = this.body.rows[this.rows.indexOf(sample) - this.page * PAGE_ROWS];
    if (row) row.querySelector("a").focus({ preventScroll: true });
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
