// One window for all that is said and asked. The world waits while it is open.

const dialog = byId("dialog");
let answer = null;

/** A paragraph, or a table of keys. */
function part(given) {
  if (typeof given === "string") return el("p", null, given);
  if (given instanceof Node) return given;
  const rows = given.map(([keys, meaning]) => el("tr", null, el("th", null, el("kbd", null, keys)), el("td", null, meaning)));
  return el("table", null, el("tbody", null, rows));
}

export const isOpen = () => dialog.open;

/** Say something, and wait for the answer: true for the first button, false for the second one or Escape. */
export function say(title, parts, yes, no = null) {
  byId("dialog-title").textContent = title;
  byId("dialog-text").replaceChildren(...parts.map(part));
  byId("yes").textContent = yes || "";
  byId("yes").hidden = !yes;
  byId("no").textContent = no || "";
  byId("no").hidden = !no;
  if (!dialog.open) dialog.showModal();
  (yes ? byId("yes") : byId("dialog-title")).focus();
  answer?.(false);
  return new Promise(resolve => {
    answer = resolve;
  });
}

function settle(value) {
  const resolve = answer;
  answer = null;
  dialog.close();
  resolve?.(value);
}

// a key that is held down must not answer the next question as well
dialog.addEventListener("keydown", event => {
  if (event.repeat && event.key !== "Tab") event.preventDefault();
});
byId("yes").addEventListener("click", () => settle(true));
byId("no").addEventListener("click", () => settle(false));
dialog.addEventListener("cancel", event => {
  event.preventDefault();
  if (!byId("no").hidden) settle(false);
});
