// A page of tables: its chapters one below the other, each with its notes and the way to the page that shows more.

const isFigure = text => /^[-+<]?[\d.]/.test(text);

function textTable(table) {
  const numeric = column => column >= table.names && table.rows.every(row => !row[column] || isFigure(row[column]));
  const made = plainTable(table.headers, table.rows, numeric);
  if (table.caption) made.prepend(el("caption", null, table.caption));
  return el("div", { class: "scroll", tabindex: 0 }, made);
}

function chapter(told) {
  return el(
    "section",
    { class: "card whole" },
    el("h2", null, told.title),
    told.notes.map(note => el("p", { class: "note" }, note)),
    told.tables.map(textTable),
    told.page && el("p", null, el("a", { href: encodeURI(told.page) }, "All samples and charts")),
  );
}

byId("overview").append(
  el("h1", { tabindex: -1 }, INDEX.title),
  el("div", { class: "cards" }, INDEX.chapters.map(chapter)),
);
