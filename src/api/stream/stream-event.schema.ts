import { z } from "@hono/zod-openapi";
import { hidden, lowercaseAddress } from "../http/field.schema.ts";
import { namedTrade } from "../trades/trade.schema.ts";
import { transfer } from "../transfers/transfer.schema.ts";

/** The fields of every event besides its data. */
const envelope = {
  id: z.string().openapi({
    description:
      "The event's own id, the same wherever it is sent, and for a trade that of `GET /api/trades`: block and log index, or `registration-…`. Unique on its chain.",
    example: "000045612378-000042",
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
  })
  .openapi("CreatedEvent");

const traded = namedTrade
  .extend({
    ...envelope,
    name: z.string().nullable().openapi({ description: "Untrusted text." }),
    symbol: z.string().nullable().openapi({ description: "Untrusted text." }),
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

const transferred = transfer
  .extend({
    ...envelope,
    name: z.string().nullable().openapi({ description: "Untrusted text." }),
    symbol: z.string().nullable().openapi({ description: "Untrusted text." }),
    kind: z.literal("transfer"),
    creator: lowercaseAddress.nullable(),
  })
  .openapi("TransferEvent");

const text = z.string().nullable().openapi({ description: "Untrusted text." });

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
  .discriminatedUnion("kind", [created, traded, graduated, registered, transferred])
  .openapi("StreamEvent");
