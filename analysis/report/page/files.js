// The files of blocks beside a large page. A page from disk may not fetch, but it may load scripts: each file calls
// herobenchBlock with its number and its text.

/** What waits for the text of a file. */
const ARRIVALS = new Map();

globalThis.herobenchBlock = (number, text) => {
  const arrived = ARRIVALS.get(number);
  if (arrived) arrived(text);
};

const fileName = number => `${encodeURIComponent(INDEX.files)}/blocks-${String(number).padStart(4, "0")}.js`;

/** The policy of the page asks for scripts by names that this rule made, and it makes them from numbers only. */
const SCRIPT_NAMES =
  INDEX.files && globalThis.trustedTypes
    ? globalThis.trustedTypes.createPolicy("herobench-files", { createScriptURL: number => fileName(Number(number)) })
    : { createScriptURL: fileName };

/** The text of the block in a file. */
function fileText(number) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const over = () => {
      ARRIVALS.delete(number);
      script.remove();
      reject(new Error(`${fileName(number)} cannot be read. It has to lie beside the page.`));
    };
    ARRIVALS.set(number, text => {
      ARRIVALS.delete(number);
      script.remove();
      resolve(text);
    });
    script.onerror = over;
    script.onload = () => ARRIVALS.has(number) && over(); // it was loaded, and held something else
    script.src = SCRIPT_NAMES.createScriptURL(number);
    document.head.append(script);
  });
}
