// The replies of an attempt as text: what the model wrote, and the tools that it called.

/** A long text, made only when it is opened. */
function longText(title, text, id, open = false) {
  if (!text) return null;
  const details = el(
    "details",
    { class: "long", id },
    el("summary", null, title, el("small", null, ` ${count(text.length, "character")}`)),
  );
  const fill = () => {
    if (details.open && details.childElementCount < 2) details.append(el("pre", { tabindex: 0 }, text));
  };
  details.addEventListener("toggle", fill);
  details.open = open;
  return details;
}

const callLine = call => `→ ${call.name}(${call.arguments})`;
const replyText = reply => [reply.text, ...(reply.tool_calls || []).map(callLine)].filter(Boolean).join("\n");

/** The texts of the replies. A single answer is called so; without a panel of the suite, replies are shown at once. */
function conversation(row) {
  const replies = row.replies || [];
  const open = !hasPanel();
  return replies.flatMap((reply, number) => {
    const [title, id] = replies.length > 1 ? [`Reply ${number + 1}`, `reply${number + 1}`] : ["Answer", "answer"];
    return [
      longText(`Reasoning before it: ${title.toLowerCase()}`, reply.reasoning, `reasoning${number + 1}`),
      longText(title, replyText(reply), id, open),
      reply.answer && reply.answer !== reply.text ? longText(`Final answer`, reply.answer, `final${number + 1}`) : null,
    ];
  });
}

/** The same in one fold, for the page that shows the calls as well. */
function foldedConversation(row) {
  const texts = conversation(row).filter(Boolean);
  if (texts.length < 2) return texts;
  return el("details", { class: "long", id: "replies" }, el("summary", null, "What the attempt was given"), texts);
}
