/** An event of a text/event-stream. The data is one line. */
export function formatEvent(id: string, event: string, data: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
}

/** Tells that the connection lives and, without an event, where the client is: it goes on from there. */
export function formatHeartbeat(id: string | undefined): string {
  return id === undefined ? ":\n\n" : `:\nid: ${id}\n\n`;
}

/** Milliseconds after which a client that has lost its connection comes back. */
export function formatRetry(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}
