// The theme: that of the system, light or dark. The browser keeps the choice.

const THEMES = ["system", "light", "dark"];
const REMEMBERED = "herobench-report-theme";

function remembered() {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

function setTheme(theme) {
  const chosen = THEMES.includes(theme) ? theme : "system";
  document.documentElement.dataset.theme = chosen;
  byId("theme").textContent = `Theme: ${chosen}`;
  try {
    localStorage.setItem(REMEMBERED, chosen);
  } catch {
    /* a browser that keeps nothing */
  }
}

const nextTheme = () => setTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);

setTheme(remembered());
byId("theme").addEventListener("click", nextTheme);
