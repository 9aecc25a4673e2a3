/** Formats a message of a text/event-stream. The data must be one line. */
export function formatEvent(id: string, event: string, data: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
}

/**
 * Formats the message that tells a client that it gets everything from here on, and after how many milliseconds to reconnect. Both
 * are in one message, because some clients report a message without data as an event.
 */
export function formatReady(cursor: string, retryMs: number): string {
  return `retry: ${retryMs}\n${formatEvent(cursor, "ready", JSON.stringify({ cursor }))}`;
}

/**
 * Formats a heartbeat, with the client's position for clients that accept an id without an event. It has no blank line, at which
 * some clients would report an empty event.
 */
export function formatHeartbeat(id: string | undefined): string {
  return id === undefined ? ":\n" : `:\nid: ${id}\n`;
}

/** Formats a client's position as an event, since EventSource accepts ids only from events. */
export function formatPosition(cursor: string): string {
  return formatEvent(cursor, "position", JSON.stringify({ cursor }));
}

/** A message of the stream. Without an event, it only carries a position. */
type StreamMessage = { id: string; event: string | undefined; data: string };

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
