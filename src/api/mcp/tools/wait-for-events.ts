import { z } from "zod";
import { kinds } from "../../stream/filter.ts";
import { eventsRoute } from "../../stream/stream.routes.ts";
import { addresses, chainId, limit, oneOrMore, toPlainDecimal } from "../inputs.ts";
import { fittingRows } from "../pages.ts";
import { readingToolWithoutBlock } from "../tool.ts";
import { plainValue, toUntrustedEntry, untrustedEntry } from "../untrusted.ts";
import { strangerFields } from "./token-result.ts";

const event = z
  .looseObject({
    id: z.string().describe("The event's own; of a trade as in get_trades."),
    cursor: z.string(),
    kind: z.enum(kinds),
    removed: z.boolean().describe("A reorg reverted it: it is no longer true."),
    mint: z.string(),
    untrusted: untrustedEntry,
  })
  .describe("As GET /api/stream sends it, with strangers' text in untrusted.");

/** Formats values as a query has them. */
const toList = (values: string | string[] | undefined) => values && [values].flat().join(",");

export const waitForEvents = readingToolWithoutBlock({
  name: "wait_for_events",
  title: "Wait for events",
  description:
    "Waits up to 25 seconds for creations, trades, graduations and registrations (also transfers or changes of liquidity, if kind names them). Use it to see a transaction indexed, or to follow tokens or traders. Pass nextCursor on, and nothing is missed. Not for past events: use get_trades and find_tokens.",
  isOpenWorld: true,
  otherNames: { kinds: "kind", after: "cursor" },
  input: z.object({
    kind: oneOrMore(z.enum(kinds), kinds.length, `must be one of ${kinds.join(", ")}`)
      .describe("One kind or a list. If omitted, all but transfer, liquidity_added and liquidity_removed.")
      .meta({ examples: ["trade"] }),
    mint: addresses("Only events of these tokens."),
    creator: addresses("Only events of tokens that these accounts created."),
    trader: addresses("Only trades by these accounts, and no other kind of event."),
    side: z.enum(["buy", "sell"]).optional().describe("Only trades of this side."),
    venue: z.enum(["curve", "dex"]).optional().describe("Only trades on the curve, or on the DEX."),
    minBnb: z.number().min(0).max(999_999_999).optional().describe("Only trades of at least this many BNB."),
    cursor: z
      .string()
      .min(1, "must not be empty: leave it out for events from now on")
      .max(50)
      .optional()
      .describe("nextCursor of the previous call. If omitted, events from now on.")
      .meta({ examples: ["152-31"] }),
    timeout: z.int().min(0).max(25).default(20).describe("Seconds to wait for an event."),
    limit: limit(50, 20),
    chainId,
  }),
  output: z.object({
    events: z.array(event),
    nextCursor: z.string().describe("Pass it as cursor in the next call."),
    timedOut: z.boolean().describe("Whether nothing happened in time: call again with nextCursor."),
  }),
  async run({ kind, mint, creator, trader, minBnb, ...query }, { ask }) {
    const lists = {
      kind: toList(kind),
      mint: toList(mint),
      creator: toList(creator),
      trader: toList(trader),
    };
    const answer = await ask(eventsRoute, {
      query: { ...query, ...lists, minBnb: toPlainDecimal(minBnb, 18) },
    });
    const rows = answer.events.map((event) => {
      const facts = Object.entries(event).filter(([field]) => !(field in strangerFields));
      return {
        ...(plainValue(Object.fromEntries(facts)) as {
          id: string;
          cursor: string;
          kind: typeof event.kind;
          removed: boolean;
          mint: string;
        }),
        untrusted: toUntrustedEntry(event),
      };
    });
    const events = fittingRows(rows);
    const last = events.length < rows.length ? events.at(-1)?.cursor : undefined;
    return { events, nextCursor: last ?? answer.nextCursor, timedOut: answer.timedOut };
  },
});
