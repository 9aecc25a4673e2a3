import { z } from "@hono/zod-openapi";
import { parseEther } from "viem";
import { hidden, lowercaseAddress } from "../http/answer.schema.ts";
import { address, decimalText } from "../http/parameters.schema.ts";
import { invalidParameter } from "../http/problem.ts";
import { liquidityChange } from "../liquidity/liquidity-change.schema.ts";
import { creatorRecord, risk } from "../market/market.schema.ts";
import { namedTrade } from "../trades/trade.schema.ts";
import { transfer } from "../transfers/transfer.schema.ts";
import { cursorPattern } from "./cursor.ts";
import { askedKinds, isAboutTrades, kinds } from "./filter.ts";
import type { StreamFilter } from "./stream-page.query.ts";

/** Parameters shared by the stream and its long poll. */

const maxAddresses = 100;

const separated = (text: string) => text.split(",").map((part) => part.trim());

const addresses = (description: string) =>
  z
    .string()
    .transform(separated)
    .pipe(
      z
        .array(address)
        .max(maxAddresses, `must be at most ${maxAddresses} addresses: send another request for the others`),
    )
    .optional()
    .openapi({ type: "string", description, example: "0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe" });

const isNoCursor = "must be the cursor of an event of the stream, such as 152-31";

export const eventsCursor = z.string().regex(cursorPattern, isNoCursor).optional();

/** For the header: browsers that reconnect before the first event send an empty one. */
export const streamCursor = z
  .string()
  .refine((text) => text === "" || cursorPattern.test(text), isNoCursor)
  .optional();

/** The parameters that filter events. */
export const filterParameters = {
  mint: addresses(
    `Only events of these tokens: up to ${maxAddresses} addresses, separated by commas. With creator: only events that match both.`,
  ),
  creator: addresses(
    `Only events of tokens that these accounts created: up to ${maxAddresses} addresses, separated by commas.`,
  ),
  kind: z
    .string()
    .transform((text, c) => {
      const wanted = kinds.filter((kind) => separated(text).includes(kind));
      if (separated(text).every((kind) => kinds.some((name) => name === kind))) return wanted;
      const message = `must be one or more of ${kinds.join(", ")}, separated by commas`;
      c.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .optional()
    .openapi({
      type: "string",
      description: `Only events of these kinds, separated by commas: ${kinds.join(", ")}. If omitted, all but ${askedKinds.join(", ")}. \`removed\` comes with the kind of the event that it removes.`,
      example: "created,graduated",
    }),
  trader: addresses(
    `Only trades by these accounts: up to ${maxAddresses} addresses, separated by commas. Excludes all other kinds, as do side, venue and minBnb.`,
  ),
  side: z
    .enum(["buy", "sell"], "must be buy or sell")
    .optional()
    .openapi({ description: "Only trades of this side." }),
  venue: z
    .enum(["curve", "dex"], "must be curve or dex")
    .optional()
    .openapi({ description: "Only trades on the curve, or only those on the DEX." }),
  minBnb: decimalText(18, { digits: 9, message: "must be BNB such as 0.5, with at most 18 decimals" })
    .optional()
    .openapi({ type: "number", minimum: 0, description: "Only trades of at least this many BNB." }),
};

type FilterQuery = { [Name in keyof typeof filterParameters]?: z.output<(typeof filterParameters)[Name]> };

/** Creates the filter of a request. Throws a problem if it asks for other kinds by conditions that only trades can meet. */
export function toStreamFilter(chainId: number, query: FilterQuery): StreamFilter {
  const { mint = [], creator = [], kind = [], trader = [], side, venue, minBnb } = query;
  const minWei = minBnb === undefined ? undefined : parseEther(minBnb);
  const filter = {
    chainId,
    mints: mint,
    creators: creator,
    kinds: kind,
    traders: trader,
    side,
    venue,
    minWei,
  };
  if (isAboutTrades(filter) && kind.some((wanted) => wanted !== "trade")) {
    throw invalidParameter("kind", "must be trade, or left out, with trader, side, venue or minBnb");
  }
  return filter;
}

/** The fields of every event besides its data. */
const envelope = {
  id: z.string().openapi({
    description:
      "The event's own id, the same wherever it is sent, and for a trade that of `GET /api/trades`: chain, block and log index, or `registration-…`. Unique over chains.",
    example: "56-000045612378-000042",
  }),
  cursor: z.string().openapi({
    description: "Its position in the stream, from which a request continues after it.",
    example: "152-31",
  }),
  removed: z.boolean().openapi({ description: "Whether a reorg removed it: it is no longer true." }),
  chainId: z.int(),
};

const tokenFields = {
  ...envelope,
  mint: lowercaseAddress,
  name: z.string().openapi({ description: "Untrusted text." }),
  symbol: z.string().openapi({ description: "Untrusted text." }),
};

const time = z.iso.datetime();

const text = z.string().nullable().openapi({ description: "Untrusted text." });

const absentBefore = "Absent in events that an earlier version wrote.";

const created = z
  .object({
    ...tokenFields,
    hidden,
    kind: z.literal("created"),
    creator: lowercaseAddress,
    burnPercent: z.int(),
    createdAt: time,
    block: z.int(),
    tx: z.string(),
    risk: risk.optional().openapi({ description: `When the event was written. ${absentBefore}` }),
    creatorRecord: creatorRecord.optional().openapi({
      description: `When the event was written, this token included. ${absentBefore}`,
    }),
  })
  .openapi("CreatedEvent");

// Not with extend(), which makes an allOf: the name would have to be a string there, as it is in a list of trades, and could not be null.
const traded = z
  .object({
    ...namedTrade.shape,
    ...envelope,
    name: text,
    symbol: text,
    kind: z.literal("trade"),
    creator: lowercaseAddress.nullable(),
    progress: z.number().nullable().openapi({ description: "Percent of the curve sold after the trade." }),
  })
  .openapi("TradeEvent");

const graduated = z
  .object({
    ...tokenFields,
    hidden,
    kind: z.literal("graduated"),
    creator: lowercaseAddress,
    pair: lowercaseAddress,
    graduatedAt: time,
    block: z.int(),
  })
  .openapi("GraduatedEvent");

const transferred = z
  .object({
    ...transfer.shape,
    ...envelope,
    name: text,
    symbol: text,
    kind: z.literal("transfer"),
    creator: lowercaseAddress.nullable(),
  })
  .openapi("TransferEvent");

const liquidityChanged = liquidityChange
  .omit({ kind: true })
  .extend({
    ...envelope,
    hidden,
    name: text,
    symbol: text,
    kind: z.enum(["liquidity_added", "liquidity_removed"]),
    creator: lowercaseAddress.nullable(),
  })
  .openapi("LiquidityEvent");

const registered = z
  .object({
    ...tokenFields,
    kind: z.literal("registered"),
    creator: lowercaseAddress,
    burnPercent: z.int(),
    description: text,
    imageUrl: text,
    twitterUrl: text,
    telegramUrl: text,
    websiteUrl: text,
    verified: z.boolean(),
    registeredAt: time,
  })
  .openapi("RegisteredEvent");

/** An event as JSON: its data as in the stream, its id, and whether a reorg removed it. */
export const streamEvent = z
  .discriminatedUnion("kind", [created, traded, graduated, registered, transferred, liquidityChanged])
  .openapi("StreamEvent");
