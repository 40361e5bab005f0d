// The suite epoch's part of the report: how games ended, and for each game its figures, timeline and replay.

const share = value => known(value, v => fixed(v, 2));
const GAME_FACTS = [
  ["Stop", d => spaced(d.stop_reason)],
  ["Turns", d => whole(d.total_steps)],
  ["Carried out", d => known(d.world_valid_steps, v => `${v} (a best plan: ${d.optimal})`)],
  ["Refused", d => whole(d.precondition_errors)],
  ["Not understood", d => whole(d.format_errors)],
  ["Milestones", d => known(d.milestones_reached, v => `${v} of ${d.milestones_total}`)],
  ["Tool call validity", d => share(d.tool_call_validity_rate)],
  ["Action accuracy", d => share(d.world_action_accuracy)],
  ["Recovery", d => share(d.recovery_rate)],
  ["Causal efficiency", d => share(d.causal_efficiency)],
  ["Overhead", d => share(d.overhead_ratio)],
  ["Hours", d => whole(d.hours)],
  ["Hours over the least", d => whole(d.hours_over)],
  ["Mistakes", d => whole(d.mistakes)],
  ["First mistake", d => known(d.first_mistake, v => `turn ${v}`)],
  ["Mode", d => spaced(d.mode)],
];

PANELS.epoch = {
  cards: () => [fingerprintCard()],
  facts: row => GAME_FACTS.map(([name, show]) => [name, show(row.details)]),
  show: (sample, full, given) => {
    const player = given && full.panel.turns && full.panel.turns.length ? new GamePlayer(full, given) : null;
    const why = full.panel.no_replay || "No turn of this game can be played again.";
    const none = el("p", { class: "hint" }, why);
    return { nodes: player ? [player.timeline.node, player.node] : [none], player };
  },
  texts: (full, given) => [
    ["A shortest plan", given && given.reference, "reference"],
    ["The problem in PDDL", given && given.problem, "problem"],
  ],
};
