import { z } from "@hono/zod-openapi";
import { address } from "../http/parameters.schema.ts";
import { kinds } from "../stream/filter.ts";
import { toStreamFilter } from "../stream/stream-event.schema.ts";
import type { StreamFilter } from "../stream/stream-page.query.ts";

/** What a subscription asks for: the stream's events by its filter, or the moment at which a value crosses a limit. */

const addresses = (description: string) =>
  z
    .array(address)
    .min(1, "must have an address, or be left out")
    .max(100, "must have at most 100 addresses")
    .transform((list) => [...new Set(list)].sort())
    .optional()
    .openapi({ type: "array", items: { type: "string" }, maxItems: 100, description });

const eventsRule = z
  .strictObject({
    type: z.literal("events"),
    kind: z
      .array(z.enum(kinds))
      .min(1, "must have a kind, or be left out")
      .transform((list) => kinds.filter((kind) => list.includes(kind)))
      .optional()
      .openapi({
        type: "array",
        items: { type: "string", enum: [...kinds] },
        description:
          "Only events of these kinds. If omitted, all but transfer, liquidity_added and liquidity_removed.",
      }),
    mint: addresses("Only events of these tokens."),
    creator: addresses("Only events of tokens that these accounts created."),
    trader: addresses("Only trades by these accounts."),
    side: z.enum(["buy", "sell"]).optional().openapi({ description: "Only trades of this side." }),
    venue: z.enum(["curve", "dex"]).optional().openapi({ description: "Only trades there." }),
    minBnb: z
      .string('must be a text, such as "0.5"')
      .regex(/^\d{1,9}(\.\d{1,18})?$/, "must be BNB such as 0.5, with at most 18 decimals")
      .optional()
      .openapi({ description: "Only trades of at least this many BNB.", example: "0.5" }),
  })
  .openapi("EventsRule", { description: "Every event of the stream that its filter lets through." });

/** What each trade says. */
export const tradeMetrics = [
  "priceBnb",
  "priceUsd",
  "marketCapBnb",
  "marketCapUsd",
  "progress",
  "volumeBnb",
] as const;

/** What a condition can be about. All but the first are read from the index after the last event of a page. */
const metrics = [
  ...tradeMetrics,
  "holders",
  "creatorPercent",
  "insidersPercent",
  "snipersPercent",
  "accountPercent",
] as const;

export type Metric = (typeof metrics)[number];

/** Whether a metric is a share of a whole. */
export const isPercent = (metric: Metric) => metric === "progress" || metric.endsWith("Percent");

const limit = z
  .string('must be a text, such as "0.5"')
  .regex(/^\d{1,20}(\.\d{1,36})?$/, "must be a decimal number such as 0.5")
  .optional();

const crossesRule = z
  .strictObject({
    type: z.literal("crosses"),
    mint: address.openapi({ description: "The token." }),
    metric: z.enum(metrics).openapi({
      description:
        "priceBnb, priceUsd: of one token after a trade. marketCapBnb, marketCapUsd. progress: percent of the curve that is sold. volumeBnb: traded within windowMinutes. holders: accounts with a balance. creatorPercent, insidersPercent, snipersPercent, accountPercent: held by the creator, insiders, snipers, or `account`, in percent of what accounts hold.",
    }),
    above: limit.openapi({
      description: "Met when the value rises to this or more. Either this or below.",
      example: "80",
    }),
    below: limit.openapi({ description: "Met when the value falls to this or less." }),
    hysteresisPercent: z
      .number("must be a number from 0 to 100")
      .min(0, "must be at least 0")
      .max(100, "must be at most 100")
      .default(5)
      .openapi({
        description:
          "How far, in percent of the limit, the value has to go back before the condition can be met again. If that is beyond 100 percent of a whole, half of the way from the limit to there.",
      }),
    repeat: z.enum(["once", "always"]).default("always").openapi({
      description: "once: only the first time. always: each time that the limit is crossed.",
    }),
    account: address.optional().openapi({ description: "For accountPercent." }),
    windowMinutes: z
      .int("must be a whole number from 1 to 1440")
      .min(1, "must be at least 1")
      .max(1_440, "must be at most 1440")
      .optional()
      .openapi({ description: "For volumeBnb." }),
  })
  .superRefine(({ above, below, metric, account, windowMinutes }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if ((above === undefined) === (below === undefined)) {
      refuse("above", "is needed, or below, but not both");
    }
    const path = above === undefined ? "below" : "above";
    // A window's volume has at least the trade with which it is measured.
    if (Number(above ?? below) === 0 && (path === "above" || /^(price|marketCap|volume)/.test(metric))) {
      refuse(
        path,
        path === "above"
          ? "must be more than 0: no value is less"
          : "must be more than 0: it never falls to that",
      );
    }
    if (isPercent(metric) && Number(above ?? below) > 100) {
      refuse(path, "must be at most 100: it is in percent");
    }
    if ((metric === "accountPercent") !== (account !== undefined)) {
      refuse("account", "comes with accountPercent, and with no other metric");
    }
    if ((metric === "volumeBnb") !== (windowMinutes !== undefined)) {
      refuse("windowMinutes", "comes with volumeBnb, and with no other metric");
    }
  })
  .openapi("CrossesRule", { description: "The moments at which a value crosses a limit." });

export const alertRule = z
  .discriminatedUnion("type", [eventsRule, crossesRule], "must have the type events or crosses")
  .openapi("AlertRule");

export type AlertRule = z.output<typeof alertRule>;
export type EventsRule = z.output<typeof eventsRule>;
export type CrossesRule = z.output<typeof crossesRule>;

/** The stream's filter of a rule that asks for events. Throws a problem if it contradicts itself. */
export function toFilter(chainId: number, { type: _, ...query }: EventsRule): StreamFilter {
  return toStreamFilter(chainId, query);
}
