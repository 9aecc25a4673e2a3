import { z } from "@hono/zod-openapi";
import { hidden, lowercaseAddress } from "../http/field.schema.ts";
import { namedTrade } from "../trades/trade.schema.ts";

/** What every event has beside its data. */
const envelope = {
  id: z.string().openapi({ description: "Its position in the stream." }),
  removed: z.boolean().openapi({ description: "Whether a reorg removed it, so that it is no longer true." }),
  chainId: z.int(),
};

const ofToken = {
  ...envelope,
  mint: lowercaseAddress,
  name: z.string().openapi({ description: "Untrusted text." }),
  symbol: z.string().openapi({ description: "Untrusted text." }),
};

const time = z.iso.datetime();

const created = z
  .object({
    ...ofToken,
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
    ...ofToken,
    hidden,
    kind: z.literal("graduated"),
    creator: lowercaseAddress,
    pair: lowercaseAddress,
    graduatedAt: time,
    block: z.int(),
  })
  .openapi("GraduatedEvent");

const text = z.string().nullable().openapi({ description: "Untrusted text." });

const registered = z
  .object({
    ...ofToken,
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

/** An event as JSON: the data that the stream has, with its id, and with whether a reorg took it back. */
export const streamEvent = z
  .discriminatedUnion("kind", [created, traded, graduated, registered])
  .openapi("StreamEvent");
