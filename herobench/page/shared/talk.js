// Talks to the server: asks how things stand, and sends actions.

async function answered(response) {
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response.json();
}

function send(name, body) {
  const headers = { "Content-Type": "application/json" };
  return fetch(name, { method: "POST", headers, body: JSON.stringify(body) }).then(answered);
}

/** Wait until there is something to see. */
async function seen(state) {
  let found = state;
  while (!found.over && !found.view) found = await send("wait", { number: found.number });
  return found;
}

export const begin = () => fetch("state").then(answered).then(seen);
export const act = (number, action) => send("act", { number, action }).then(seen);
