/** A message of the stream. Without an event, it only carries a position. */
export type StreamMessage = { id: string; event: string | undefined; data: string };

/** Parses what format.ts writes. A chunk must hold whole lines. */
export function parseMessages(text: string): StreamMessage[] {
  const messages: StreamMessage[] = [];
  let id = "";
  let event: string | undefined;
  let data = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("id: ")) id = line.slice("id: ".length);
    else if (line.startsWith("event: ")) event = line.slice("event: ".length);
    else if (line.startsWith("data: ")) data = line.slice("data: ".length);
    else if (line === "" && id !== "") {
      messages.push({ id, event, data });
      id = "";
      event = undefined;
      data = "";
    }
  }
  return messages;
}
