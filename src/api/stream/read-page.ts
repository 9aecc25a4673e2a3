import type { Database } from "../database/database.ts";
import { chainEventId } from "../market/event-id.ts";
import type { Trade } from "../trades/trade.schema.ts";
import { formatCursor } from "./cursor.ts";
import { isAboutTrades, kinds } from "./filter.ts";
import { formatEvent } from "./format.ts";
import {
  readStreamEventAt,
  readStreamEvents,
  readStreamRegistrations,
  type StreamEventRow,
  type StreamFilter,
  type StreamPart,
  type StreamPosition,
  type StreamRegistrationRow,
} from "./stream-page.query.ts";

/** An event as it is sent, with the fields that filters match. */
export type StreamItem = {
  chainId: number;
  kind: string;
  mint: string;
  creator: string | null;
  /** Undefined for other events than trades. */
  trade: (Pick<Trade, "trader" | "side" | "venue" | "bnbAmountWei"> & StreamedPrices) | undefined;
  /** The reader's position after it. */
  cursor: string;
  /** Whether a reorg removed it. */
  isRemoved: boolean;
  /** Block and log index, zero-padded; undefined for a registration. */
  position: string | undefined;
  /** The event as JSON, with its id. */
  data: string;
  /** The message of the text/event-stream. */
  text: string;
};

/** What a trade's event says about prices and the curve after it. */
type StreamedPrices = Pick<Trade, "priceAfterBnb" | "priceAfterUsd" | "timestamp"> & {
  progress: number | null;
};

export type StreamPage = {
  items: StreamItem[];
  /** The position after the page. */
  end: StreamPosition;
  /** Whether there may be more. */
  isFull: boolean;
  /** Whether a journal began in between, so that earlier readers have to start over. */
  hasBegun: boolean;
};

/**
 * The most events to scan for one page. If a filter matches nothing in days of missed events, many short queries find that out, where
 * a single one would time out on every attempt.
 */
const maxScanned = 10_000;

export const matchAll: StreamFilter = {
  chainId: undefined,
  mints: [],
  creators: [],
  kinds: [...kinds],
  traders: [],
  side: undefined,
  venue: undefined,
  minWei: undefined,
};

/** Reads a page between two positions: events in the order of the journal, then registrations. */
export async function readStreamPage(db: Database, part: StreamPart): Promise<StreamPage> {
  const { after, upTo, limit } = part;
  const edge =
    upTo.event - after.event > maxScanned ? await readStreamEventAt(db, part, maxScanned) : undefined;
  const event = edge ?? Math.max(after.event, upTo.event);
  const events = after.event < event ? await readStreamEvents(db, { ...part, upTo: { ...upTo, event } }) : [];
  const hasBegun = events.some(({ kind }) => kind === "begin");
  const items = events
    .filter(({ kind }) => kind !== "begin")
    .map((row) => toItem(row, formatCursor({ ...after, event: Number(row.id) })));
  if (events.length === limit) {
    return { items, end: { ...after, event: Number(events.at(-1)?.id) }, isFull: true, hasBegun };
  }
  if (edge !== undefined) return { items, end: { ...after, event }, isFull: true, hasBegun };

  const registrations = await readRegistrations(db, part);
  let end = { ...after, event };
  for (const [index, row] of registrations.entries()) {
    const version = Number(row.version);
    const following = registrations[index + 1];
    const isLastOfVersion =
      following === undefined
        ? registrations.length < limit && upTo.registration === undefined
        : following.version !== row.version;
    end = { event, version, registration: isLastOfVersion ? undefined : row.id };
    items.push(toRegisteredItem(row, formatCursor(end)));
  }
  if (registrations.length === limit) return { items, end, isFull: true, hasBegun };
  const { version, registration } = upTo.version >= after.version ? upTo : after;
  return { items, end: { event, version, registration }, isFull: false, hasBegun };
}

async function readRegistrations(db: Database, part: StreamPart): Promise<StreamRegistrationRow[]> {
  const { after, upTo, filter } = part;
  const isWanted =
    !isAboutTrades(filter) && (filter.kinds.length === 0 || filter.kinds.includes("registered"));
  const isAtEnd =
    after.version > upTo.version || (after.version === upTo.version && after.registration === undefined);
  return isWanted && !isAtEnd ? await readStreamRegistrations(db, part) : [];
}

function toItem(row: StreamEventRow, cursor: string): StreamItem {
  const { chain_id: chainId, position, kind, mint, creator, data, removed, is_hidden } = row;
  const trade = kind === "trade" ? JSON.parse(data) : undefined;
  // Trades are written with their id, which lacks the chain in those of earlier versions.
  const withoutId = data.replace(/^{"kind":"trade","id":"[\d-]+"/, '{"kind":"trade"');
  const withId = withoutId.replace("{", `{"id":"${chainEventId(chainId, position)}",`);
  // Reflects the current moderation, whenever the event was written.
  const sentData = is_hidden ? withId.replace(/}$/, ',"hidden":true}') : withId;
  const text = formatEvent(cursor, removed ? "removed" : kind, sentData);
  return { chainId, kind, mint, creator, trade, cursor, isRemoved: removed, position, data: sentData, text };
}

function toRegisteredItem(row: StreamRegistrationRow, cursor: string): StreamItem {
  const { chain_id: chainId, mint, creator } = row;
  const data = JSON.stringify(toStreamRegistered(row));
  const text = formatEvent(cursor, "registered", data);
  return {
    chainId,
    kind: "registered",
    mint,
    creator,
    trade: undefined,
    cursor,
    isRemoved: false,
    position: undefined,
    data,
    text,
  };
}

/** Maps a registration to the data of a `registered` event. */
function toStreamRegistered(row: StreamRegistrationRow) {
  return {
    kind: "registered",
    id: `registration-${row.version}-${row.id}`,
    chainId: row.chain_id,
    mint: row.mint,
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    burnPercent: row.burn_percent,
    description: row.description,
    imageUrl: row.image_url,
    twitterUrl: row.twitter_url,
    telegramUrl: row.telegram_url,
    websiteUrl: row.website_url,
    verified: row.verified,
    registeredAt: new Date(row.registered_at).toISOString(),
  };
}
