// What the file holds: the index, read at once, and the blocks, each inflated when somebody wants it.

const COLUMN = Object.fromEntries(INDEX.columns.map((name, number) => [name, number]));
const RUNS = INDEX.runs;
/** What the suite calls a group of tasks, such as a bracket; a column of the table and a filter have this name. */
const GROUP = INDEX.group;
/** The word and the names by which groups are shown, such as goals and 4-7. */
const GROUP_WORD = INDEX.groups.title;
const groupName = group => (Object.hasOwn(INDEX.groups.names, group) ? INDEX.groups.names[group] : group);
const placeOf = group => `${GROUP_WORD} ${groupName(group)}`;
/** Facts of the suite that the table shows: name and title. */
const LISTED = Object.entries(INDEX.listed);
const REPEATS = RUNS.some(run => run.figures.repeats);

const SAMPLES = INDEX.samples
  .map((values, number) => {
    const sample = { number };
    INDEX.columns.forEach((name, column) => {
      sample[name] = values[column];
    });
    sample[GROUP] = sample.group;
    return sample;
  })
  .sort((a, b) => a.run - b.run || collator.compare(a.task, b.task) || a.epoch - b.epoch);

const several = name => new Set(SAMPLES.map(sample => sample[name])).size > 1;

/** What the panels of all samples of a run share, such as a map. */
const settingOf = sample => INDEX.settings[RUNS[sample.run].setting];

async function inPage(name) {
  if (!byId(name)) await parsed;
  return byId(name).textContent;
}

const parsed =
  document.readyState === "loading"
    ? new Promise(resolve => document.addEventListener("DOMContentLoaded", resolve, { once: true }))
    : Promise.resolve();

/** The rows of a block: of the page, whose end may still be on its way, or of a file beside a large page. */
async function inflated(number) {
  const text = INDEX.files ? await fileText(number) : await inPage(`block${number}`);
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

const MOST_OPEN = 8;
/** By the number of the block, the promise of its rows; the one that was wanted first is the first to go. */
const OPEN = new Map();

/** A row, such as what a sample has. */
async function stored(kind, number) {
  const [first, block] = INDEX.blocks[kind].findLast(([start]) => start <= number);
  const rows = OPEN.get(block) || inflated(block);
  OPEN.delete(block);
  OPEN.set(block, rows);
  if (OPEN.size > MOST_OPEN) OPEN.delete(OPEN.keys().next().value);
  try {
    return structuredClone((await rows)[number - first]);
  } catch (error) {
    OPEN.delete(block);
    throw error;
  }
}

// A sample's place in the address: #sample/RUN/TASK/EPOCH, the step of its replay where one is meant, and the attempt
// that is shown beside it: /with/RUN/EPOCH.

const lone = /\p{Surrogate}/gu;
const wellFormed = text => String(text).replace(lone, "\ufffd");
const part = text => encodeURIComponent(wellFormed(text));
const addressOf = (sample, step, beside) =>
  [
    "#sample",
    part(RUNS[sample.run].name),
    part(sample.task),
    sample.epoch,
    ...(step || beside ? [step || 0] : []),
    ...(beside ? ["with", part(RUNS[beside.run].name), beside.epoch] : []),
  ].join("/");

const BY_ADDRESS = new Map(SAMPLES.map(sample => [addressOf(sample), sample]));

function sampleAt(hash) {
  const parts = hash.split("/");
  const sample = BY_ADDRESS.get(parts.slice(0, 4).join("/"));
  if (!sample) return null;
  const other = parts[5] === "with" && BY_ADDRESS.get(["#sample", parts[6], parts[2], parts[7]].join("/"));
  const beside = other && other !== sample ? other : null;
  return { sample, beside, step: parts[4] === undefined ? null : Number(parts[4]) || 0 };
}
