// Parts of blocks that are made of pieces, which stand in blocks of their own.

/** By the number of their block, the promise of its pieces. */
const PIECES = new Map();

/** Numbers from the first one and the steps between them. */
function fromSteps(steps) {
  let number = 0;
  return steps.map(step => (number += step));
}

/** The pieces of a family with the numbers that these steps make. */
async function piecesOf(steps, family) {
  const places = INDEX.pieces[family];
  const found = new Map();
  const numbers = fromSteps(steps);
  for (const number of new Set(numbers)) {
    const [block, first] = places.findLast(place => place[1] <= number);
    if (!PIECES.has(block)) PIECES.set(block, inflated("pieces", block));
    found.set(number, (await PIECES.get(block))[number - first]);
  }
  return numbers.map(number => found.get(number));
}

/** A list of rows, with the whole numbers that stand beside their pieces. */
function rowsOf(pieces, columns) {
  const left = new Map(Object.entries(columns).map(([name, steps]) => [name, fromSteps(steps).values()]));
  return pieces.map(([piece, whole]) => {
    const row = { ...piece };
    for (const name of whole) row[name] = left.get(name).next().value;
    return row;
  });
}

/** What each kind of part is made of its numbers, of the name of its pieces, and of what stands beside them. */
const PARTS = {
  lines: async (steps, family) => (await piecesOf(steps, family)).join("\n"),
  list: piecesOf,
  rows: async (steps, family, columns) => rowsOf(await piecesOf(steps, family), columns),
  numbers: fromSteps,
  object: async (steps, family) => {
    const [names, ...values] = await piecesOf(steps, family);
    // copied, because parts of them may be filled in, and other blocks have them too
    return Object.fromEntries(names.map((name, number) => [name, structuredClone(values[number])]));
  },
};

const at = (told, path) => path.reduce((value, name) => value[name], told);

/** Fill in the parts of a block: each after the part that it is within, and slices after the texts that have them. */
async function putTogether(told) {
  const parts = told["~pieces"].reverse();
  delete told["~pieces"];
  const put = (path, value) => (at(told, path.slice(0, -1))[path.at(-1)] = value);
  for (const [path, kind, ...made] of parts) if (kind !== "slice") put(path, await PARTS[kind](...made));
  for (const [path, kind, ends, text] of parts) if (kind === "slice") put(path, at(told, text).slice(...ends));
  return told;
}
