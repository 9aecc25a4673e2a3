import type { StreamPosition } from "./stream-page.query.ts";

/**
 * Formats the cursor of an event of the stream, which is the `id` of its message: `<event>-<version>`, followed by `-<registration>` if more registrations of that
 * version of the registry are still to come.
 */
export function formatCursor({ event, version, registration }: StreamPosition): string {
  return registration === undefined ? `${event}-${version}` : `${event}-${version}-${registration}`;
}

/** Matches a cursor, and not the id of an event, whose numbers have leading zeros. */
export const cursorPattern = /^(0|[1-9]\d{0,14})-(0|[1-9]\d{0,14})(?:-(0|[1-9]\d{0,8}))?$/;

/** Returns undefined if the text is not a cursor. */
export function parseCursor(text: string): StreamPosition | undefined {
  const [, event, version, registration] = cursorPattern.exec(text) ?? [];
  if (event === undefined || version === undefined) return undefined;
  return {
    event: Number(event),
    version: Number(version),
    registration: registration === undefined ? undefined : Number(registration),
  };
}

/** Whether one position is at or after another, both in the journal and among the registrations. */
export function isAtOrAfter(position: StreamPosition, other: StreamPosition): boolean {
  if (position.event < other.event || position.version < other.version) return false;
  return (
    position.version > other.version ||
    (position.registration ?? Number.POSITIVE_INFINITY) >= (other.registration ?? Number.POSITIVE_INFINITY)
  );
}
