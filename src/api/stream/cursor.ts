import type { StreamPosition } from "./stream-tail.query.ts";

/**
 * The id of an event of the stream: `<event>-<version>`, with `-<registration>` where a version of the registry has more
 * registrations to come.
 */
export function formatCursor({ event, version, registration }: StreamPosition): string {
  return registration === undefined ? `${event}-${version}` : `${event}-${version}-${registration}`;
}

/** An id of an event. */
export const cursorPattern = /^(\d{1,15})-(\d{1,15})(?:-(\d{1,9}))?$/;

/** Undefined for what is no id of an event. */
export function parseCursor(text: string): StreamPosition | undefined {
  const [, event, version, registration] = cursorPattern.exec(text) ?? [];
  if (event === undefined || version === undefined) return undefined;
  return {
    event: Number(event),
    version: Number(version),
    registration: registration === undefined ? undefined : Number(registration),
  };
}

/** Whether one position has everything that is before another. */
export function reaches(position: StreamPosition, other: StreamPosition): boolean {
  if (position.event < other.event || position.version < other.version) return false;
  return (
    position.version > other.version ||
    (position.registration ?? Number.POSITIVE_INFINITY) >= (other.registration ?? Number.POSITIVE_INFINITY)
  );
}
