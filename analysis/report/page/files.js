// The files of blocks beside a large page. A page from disk may not fetch, but it may load scripts: each file calls
// herobenchBlocks with its number and its blocks. Only the files that were wanted last are kept.

const MOST_FILES = 16;
/** By the number of the file, the promise of its blocks; the one that was wanted first is the first to go. */
const FILES = new Map();
/** What waits for the blocks of a file. */
const ARRIVALS = new Map();

globalThis.herobenchBlocks = (number, blocks) => {
  const arrived = ARRIVALS.get(number);
  if (arrived) arrived(blocks);
};

const fileName = number => `${encodeURIComponent(INDEX.files.folder)}/blocks-${String(number).padStart(4, "0")}.js`;

/** The policy of the page asks for scripts by names that this rule made, and it makes them from numbers only. */
const SCRIPT_NAMES =
  INDEX.files && globalThis.trustedTypes
    ? globalThis.trustedTypes.createPolicy("herobench-files", { createScriptURL: number => fileName(Number(number)) })
    : { createScriptURL: fileName };

function loadFile(number) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const over = () => {
      ARRIVALS.delete(number);
      script.remove();
      FILES.delete(number);
      reject(new Error(`${fileName(number)} cannot be read. It has to lie beside the page.`));
    };
    ARRIVALS.set(number, blocks => {
      ARRIVALS.delete(number);
      script.remove();
      resolve(blocks);
    });
    script.onerror = over;
    script.onload = () => ARRIVALS.has(number) && over(); // it was loaded, and held something else
    script.src = SCRIPT_NAMES.createScriptURL(number);
    document.head.append(script);
  });
}

/** The blocks of the file that holds one of them. */
function fileWith(kind, wanted) {
  const starts = INDEX.files[kind];
  const number = starts.findLastIndex(first => first <= wanted);
  const found = FILES.get(number) || loadFile(number);
  FILES.delete(number);
  FILES.set(number, found);
  if (FILES.size > MOST_FILES) FILES.delete(FILES.keys().next().value);
  return found;
}
