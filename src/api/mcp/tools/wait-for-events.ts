import { z } from "zod";
import { eventsRoute } from "../../stream/events.routes.ts";
import { kinds } from "../../stream/stream-filter.schema.ts";
import { address, chainId, limit } from "../inputs.ts";
import { fitPage } from "../pages.ts";
import { readingTool } from "../tool.ts";
import { plainValue, toUntrustedEntry, untrustedEntry } from "../untrusted.ts";

const event = z
  .looseObject({
    id: z.string(),
    kind: z.enum(kinds),
    removed: z.boolean().describe("A reorg reverted it: it is no longer true."),
    mint: z.string(),
    untrusted: untrustedEntry,
  })
  .describe("As GET /api/stream sends it, with strangers' text in untrusted.");

const strangerFields = new Set([
  "name",
  "symbol",
  "description",
  "imageUrl",
  "twitterUrl",
  "telegramUrl",
  "websiteUrl",
]);

export const waitForEvents = readingTool({
  name: "wait_for_events",
  title: "Wait for events",
  description:
    "Waits up to 25 seconds for creations, trades, graduations and registrations, and returns them with the cursor for the next call. Use it to see a transaction indexed, or to follow a token. Pass nextCursor on, and nothing is missed between calls. Not for past events: use get_trades and find_tokens.",
  isOpenWorld: true,
  otherNames: { kinds: "kind", after: "cursor" },
  input: z.object({
    kind: z.array(z.enum(kinds)).max(kinds.length).optional().describe("If omitted, all kinds."),
    mint: address("Only events of this token.").optional(),
    creator: address("Only events of tokens that this account created.").optional(),
    cursor: z
      .string()
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
  async run({ kind, ...query }, { ask }) {
    const isAll = kind === undefined || kind.length === 0;
    const answer = await ask(eventsRoute, { query: { ...query, kind: isAll ? undefined : kind.join(",") } });
    const rows = answer.events.map((given) => {
      const facts = Object.entries(given).filter(([field]) => !strangerFields.has(field));
      return {
        ...(plainValue(Object.fromEntries(facts)) as {
          id: string;
          kind: typeof given.kind;
          removed: boolean;
          mint: string;
        }),
        untrusted: toUntrustedEntry(given),
      };
    });
    const fitted = fitPage({ rows, next: undefined }, { at: undefined, skip: 0 });
    // An event's id is the cursor that continues after it.
    const last = fitted.rows.length < rows.length ? fitted.rows.at(-1)?.id : undefined;
    return { events: fitted.rows, nextCursor: last ?? answer.nextCursor, timedOut: answer.timedOut };
  },
});
