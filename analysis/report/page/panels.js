// The suite's part of a sample's page. A suite registers it under its name, and leaves out what it does not have:
//   cards(): charts of its own for the first page;
//   facts(row): names and texts of the suite's own facts;
//   ended(row): a sentence on how the attempt ended;
//   subject(subject, setting): the name of the thing that a cause is about;
//   show(sample, full, given): what stands above the texts, and the player of a replay if there is one;
//   texts(full, given): further long texts, each with a title and an id.
// A player is a Replay (replay.js); its step stands in the address.

const PANELS = {};
const NO_PANEL = {
  cards: () => [],
  facts: () => [],
  ended: () => null,
  subject: subject => subject,
  show: () => ({ nodes: [], player: null }),
  texts: () => [],
};
const panel = () => ({ ...NO_PANEL, ...PANELS[INDEX.suite] });
const hasPanel = () => Object.hasOwn(PANELS, INDEX.suite || "");
