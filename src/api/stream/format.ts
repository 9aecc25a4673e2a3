/** An event of a text/event-stream. The data is one line. */
export function formatEvent(id: string, event: string, data: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
}

/**
 * Tells a client that it gets everything from here on, and after how many milliseconds it may come back once it has lost its
 * connection. In one message: some clients report one without data as an event.
 */
export function formatReady(id: string, retryMs: number): string {
  return `retry: ${retryMs}\n${formatEvent(id, "ready", JSON.stringify({ id }))}`;
}

/**
 * Tells that the connection lives, and where the client is: clients that take an id without an event go on from there. Without
 * a blank line, at which some clients report an empty event.
 */
export function formatHeartbeat(id: string | undefined): string {
  return id === undefined ? ":\n" : `:\nid: ${id}\n`;
}

/** Tells a client that has had no event for long where it is. As an event: EventSource takes an id from nothing else. */
export function formatPosition(id: string): string {
  return formatEvent(id, "position", JSON.stringify({ id }));
}
