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

/** Tells that the connection lives and, without an event, where the client is: it goes on from there. */
export function formatHeartbeat(id: string | undefined): string {
  return id === undefined ? ":\n\n" : `:\nid: ${id}\n\n`;
}
