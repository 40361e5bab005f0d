// One window for all that is said and asked. The world waits while it is open.

const node = id => document.getElementById(id);
const dialog = node("dialog");
let answer = null;

function element(tag, ...children) {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}

/** A paragraph, or a table of keys. */
function part(given) {
  if (typeof given === "string") return element("p", given);
  if (given instanceof Node) return given;
  const rows = given.map(([keys, meaning]) => element("tr", element("th", element("kbd", keys)), element("td", meaning)));
  return element("table", element("tbody", ...rows));
}

export const isOpen = () => dialog.open;

/** Say something, and wait for the answer: true for the first button, false for the second one or Escape. */
export function say(title, parts, yes, no = null) {
  node("dialog-title").textContent = title;
  node("dialog-text").replaceChildren(...parts.map(part));
  node("yes").textContent = yes || "";
  node("yes").hidden = !yes;
  node("no").textContent = no || "";
  node("no").hidden = !no;
  if (!dialog.open) dialog.showModal();
  (yes ? node("yes") : node("dialog-title")).focus();
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
node("yes").addEventListener("click", () => settle(true));
node("no").addEventListener("click", () => settle(false));
dialog.addEventListener("cancel", event => {
  event.preventDefault();
  if (!node("no").hidden) settle(false);
});
