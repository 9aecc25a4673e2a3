import { Webhook } from "standardwebhooks";
import type { AlertFiring } from "../../../offchain/alert-store.ts";
import { parseCursor } from "../stream/cursor.ts";
import type { StreamItem } from "../stream/read-page.ts";

/** What a receiver gets about one event, one firing of a condition, or a gap. */
export type AlertMessage = {
  /** Stays the same whenever and by whichever process the message is sent. */
  id: string;
  type: string;
  /** When it happened, ISO 8601. */
  timestamp: string;
  subscription: string;
  data: Record<string, unknown>;
};

/** Prepares the message about an event of the stream. The returned function makes that of one subscription. */
export function prepareEventMessage({
  cursor,
  data,
  isRemoved,
  kind,
}: StreamItem): (subscription: string) => AlertMessage {
  const event: Record<string, unknown> = JSON.parse(data);
  const timestamp = String(event.timestamp ?? event.createdAt ?? event.graduatedAt ?? event.registeredAt);
  // An event of the journal is numbered; a registration has its version in its id.
  const number = kind === "registered" ? event.id : parseCursor(cursor)?.event;
  const type = isRemoved ? "removed" : kind;
  return (subscription) => ({
    id: `${subscription}.${number}`,
    type,
    timestamp,
    subscription,
    data: { ...event, cursor },
  });
}

/** The id of the message that says that an event of the journal met a condition, or that its removal took that back. */
export const firingId = (subscription: string, event: number) => `${subscription}.${event}`;

/** The message about a firing of a condition. */
export function toFiringMessage(subscription: string, { id, kind, data, at }: AlertFiring): AlertMessage {
  const { id: messageId = `${subscription}.gap-${id}`, ...rest } = data;
  return { id: String(messageId), type: kind, timestamp: at.toISOString(), subscription, data: rest };
}

/** Why events may be missing. */
const gapReasons = {
  pruned: "The journal no longer has what came after `from`: read the state from the REST API.",
  replaced:
    "Another index has taken over, which numbers its events anew. Some after `from` may be missing, and some may come again, with the id of another message: read the state from the REST API.",
};

/** The message that says that events after a position may be missing. */
export function toGapMessage(
  subscription: string,
  { from, to, reason }: { from: string; to: string; reason: keyof typeof gapReasons },
): AlertMessage {
  return {
    id: `${subscription}.gap-${from}`,
    type: "gap",
    timestamp: new Date().toISOString(),
    subscription,
    data: { from, to, reason: gapReasons[reason] },
  };
}

/** Joins messages into one body, if there may be several in it. The id of a batch is that of its first message and the number of all. */
export function toBody(messages: AlertMessage[], isBatch: boolean): { id: string; body: string } {
  const [first] = messages;
  if (first === undefined) throw new Error("Invariant(alerts): a body without a message");
  if (!isBatch) return { id: first.id, body: JSON.stringify(first) };
  const id = messages.length === 1 ? first.id : `${first.id}+${messages.length - 1}`;
  const { subscription, timestamp } = first;
  return { id, body: JSON.stringify({ id, type: "batch", timestamp, subscription, data: { messages } }) };
}

/** The headers of the Standard Webhooks specification, with a signature by each secret. */
export function signedHeaders(secrets: string[], id: string, body: string): Record<string, string> {
  const now = new Date();
  return {
    "content-type": "application/json",
    "user-agent": "launchpad-indexer-alerts/1",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(" "),
  };
}
