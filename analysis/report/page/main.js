// Which page is shown, by the address; keys.

const view = { player: null, players: [], sample: null, beside: null, opened: 0 };
const scrolled = { overview: 0 };
const TITLE = document.title;

// -- pages ------------------------------------------------------------------------------------------------------------

function showOverview() {
  const [from, left] = [view.sample, byId("overview").hidden];
  Object.assign(view, { sample: null, beside: null });
  byId("sample").hidden = true;
  byId("sample").replaceChildren();
  byId("overview").hidden = false;
  document.title = TITLE;
  if (left) window.scrollTo(0, scrolled.overview);
  if (from) TABLE.focusOn(from);
}

async function showSample({ sample, beside, step }) {
  const opened = ++view.opened;
  const { nodes, player, players } = await (beside ? pairPage(sample, beside) : samplePage(sample));
  if (opened !== view.opened) return; // somebody went elsewhere meanwhile
  if (!byId("overview").hidden) scrolled.overview = window.scrollY;
  byId("overview").hidden = true;
  byId("sample").replaceChildren(...nodes);
  byId("sample").hidden = false;
  document.title = `${sample.task} · ${TITLE}`;
  Object.assign(view, { player, players, sample, beside });
  if (player) {
    player.go(step || 0);
    player.watch(remember);
  }
  window.scrollTo(0, 0);
  byId("sample").querySelector("h1").focus({ preventScroll: true });
}

let remembering = null;
/** Have the step in the address once it has been stayed at, so that it can be passed on. */
function remember(step) {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    if (view.sample) history.replaceState(null, "", addressOf(view.sample, step, view.beside));
  }, 400);
}

function route() {
  clearTimeout(remembering);
  view.players.forEach(player => player.pause());
  Object.assign(view, { player: null, players: [] });
  const found = sampleAt(location.hash);
  if (found) showSample(found).catch(error => fail(error));
  else {
    view.opened++;
    TABLE.read(location.hash);
    showOverview();
  }
}

function fail(error) {
  byId("overview").hidden = true;
  byId("sample").hidden = false;
  byId("sample").replaceChildren(
    el("p", { class: "note" }, `This sample cannot be shown: ${error.message}`),
    el("a", { href: TABLE.address() }, "‹ overview"),
  );
}

// -- keys -------------------------------------------------------------------------------------------------------------

/** Keys are the replay's where nothing else wants them: in the replay, or where nothing has the focus. */
function onKey(event) {
  const at = event.target;
  if (!view.player || event.ctrlKey || event.metaKey || event.altKey) return;
  const focused = view.players.find(player => player.box.contains(at));
  const here = focused || at === document.body || at.tagName === "H1";
  const typed = at.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
  const own = at.type === "range" && event.key !== " " && event.key.toLowerCase() !== "e";
  const presses = event.key === " " && at.matches("button, a, summary, [type=checkbox]");
  if (here && !typed && !own && !presses && (focused || view.player).key(event.key)) event.preventDefault();
}

byId("overview").append(...overview().flat(Infinity).filter(Boolean));
addEventListener("hashchange", route);
addEventListener("keydown", onKey);
route();
/** An address with filters is about the table; the charts above it have to be drawn before it is in its place. */
if (location.hash.startsWith("#?"))
  requestAnimationFrame(() => requestAnimationFrame(() => TABLE.node.scrollIntoView()));
