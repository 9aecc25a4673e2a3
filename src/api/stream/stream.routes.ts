import { createRoute, z } from "@hono/zod-openapi";
import { chainId, wholeNumber } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";
import { eventsCursor, filterParameters, streamCursor, streamEvent } from "./stream-event.schema.ts";

/** Seconds. Below what proxies and clients wait for. */
const maxWaitSeconds = 25;
const maxEvents = 100;

const events = z
  .object({
    events: z.array(streamEvent).openapi({ description: "In order. Empty if there were none in time." }),
    nextCursor: z.string().openapi({
      description: "The `cursor` of the next request, which continues right after these events.",
    }),
    timedOut: z.boolean().openapi({ description: "Whether the wait ended without an event." }),
  })
  .openapi("Events");

export type Events = z.input<typeof events>;

export const eventsRoute = createRoute({
  method: "get",
  path: "/api/events",
  operationId: "getEvents",
  tags: ["Stream"],
  summary: "The next events of the stream, for clients that can't keep one open: waits until there are some.",
  description:
    "The same events as `GET /api/stream`, one batch per request. Without `cursor`, it waits for new events. With it, it returns the events since, at once if there are any. Ask again with nextCursor, and no event is missed or repeated, even after a restart of the service or from another replica.",
  request: {
    query: z.object({
      ...filterParameters,
      chainId,
      cursor: eventsCursor.openapi({
        type: "string",
        description: "The nextCursor of the previous response, or the cursor of an event.",
        example: "152-31",
      }),
      timeout: wholeNumber(0, maxWaitSeconds)
        .optional()
        .default(maxWaitSeconds)
        .openapi({ default: maxWaitSeconds, description: "Seconds to wait for an event." }),
      limit: wholeNumber(1, maxEvents)
        .optional()
        .default(maxEvents)
        .openapi({ default: maxEvents, description: "The most events." }),
    }),
  },
  responses: {
    200: {
      description: "Events, and the cursor to continue with.",
      content: { "application/json": { schema: events } },
    },
    ...problems({
      ...chainProblems,
      409: "This database has never had such an event (stream_position_unknown): read the state and start over, without cursor.",
      410: "The events after that one are no longer kept (stream_position_gone): read the state and start over, without cursor.",
      503: "All streams of this process are taken, or the database is unavailable, or the stream has not begun.",
    }),
  },
});

const description = `Server-sent events (text/event-stream), each with \`id\` (the event's cursor), \`event\` and one line of JSON as \`data\`:

- \`ready\`: you get everything after this cursor. Comes once, at the beginning or after the events that you had missed.
- \`created\`: a new token. mint, name, symbol, creator, burnPercent, createdAt, block, tx.
- \`trade\`: on the curve or on the DEX. As in \`GET /api/trades\`: mint, name, symbol, creator, trader, venue (curve, dex), side (buy, sell), bnbAmountWei (wei), tokenAmountRaw (base units), priceBnb (BNB for one token, on average of this trade), priceAfterBnb (after it), bnbReservesWei and tokenReservesRaw after it (the curve's virtual ones, or the pair's), progress after it, block, timestamp, tx, logIndex; bnbUsd, amountUsd, priceUsd and priceAfterUsd where the rate was known.
- \`graduated\`: mint, name, symbol, creator, pair, graduatedAt, block.
- \`registered\`: a registration, or a change of one. mint, name, symbol, creator, burnPercent, description, imageUrl, twitterUrl, telegramUrl, websiteUrl, verified, registeredAt. After a reconnect each comes once, in its current state.
- \`transfer\`: only if \`kind\` asks for it. A movement of tokens that is no part of a trade, a creation, a graduation or a change of liquidity, as in \`GET /api/token/{mint}/transfers\`. mint, name, symbol, creator, from, to, amountRaw (base units), block, timestamp, tx, logIndex.
- \`liquidity_added\`, \`liquidity_removed\`: only if \`kind\` asks for them. Liquidity of the DEX pair that someone added after graduation, or removed, as in \`GET /api/token/{mint}/liquidity\`. mint, name, symbol, creator, pair, provider, bnbAmountWei and tokenAmountRaw that moved, bnbReservesWei and tokenReservesRaw after it, block, timestamp, tx, logIndex.
- \`removed\`: a reorg removed an event that was sent. data is that of the event that is no longer true, \`kind\` says which kind it was; the latest one comes first. The events of the new blocks follow as usual.
- \`position\`: you have everything up to this cursor. Comes after five minutes without an event for you, so that EventSource reconnects from here.

The data of \`ready\` and \`position\` has only \`cursor\`. All others have \`id\` (the event's own, as in \`GET /api/events\`), \`kind\` and \`chainId\`, and all but \`registered\` have \`block\`, the number of the event's block; \`hidden\` is true if the operator has hidden the token (then don't show its name to people). Amounts are decimal strings in base units, times ISO 8601, addresses lower-case. More fields and kinds may be added.

Reconnect with the last id that you saw in \`Last-Event-ID\`, as EventSource does by itself: you get exactly what you have missed, in order, even after a restart of the service or from another replica. A comment comes every 15 seconds, with an \`id:\` line that advances your position even if no event matched. For events from before your first connection, use the other endpoints. A client that falls more than a megabyte behind is disconnected, and can reconnect.`;

export const streamRoute = createRoute({
  method: "get",
  path: "/api/stream",
  operationId: "stream",
  tags: ["Stream"],
  summary:
    "Events as they happen: creations, trades, graduations, registrations, and events removed by reorgs.",
  description,
  request: {
    query: z.object({
      ...filterParameters,
      chainId,
      lastEventId: eventsCursor.openapi({
        type: "string",
        description:
          "The same as Last-Event-ID, for clients that can't set a header. The header takes precedence.",
        example: "152-31",
      }),
    }),
    headers: z.object({
      "Last-Event-ID": streamCursor.openapi({
        type: "string",
        description: "The cursor of the last event that you have. Without it, you get only new events.",
        example: "152-31",
      }),
    }),
  },
  responses: {
    200: {
      description: "Events until one side ends the connection.",
      content: {
        "text/event-stream": {
          schema: z.string().openapi({
            example:
              'retry: 1500\nid: 152-31\nevent: ready\ndata: {"cursor":"152-31"}\n\nid: 153-31\nevent: graduated\ndata: {"id":"56-000045612378-000042","kind":"graduated","chainId":56,"mint":"0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe"}\n\n',
          }),
        },
      },
    },
    ...problems({
      ...chainProblems,
      400: "A parameter is wrong, or Last-Event-ID is not a cursor.",
      409: "This database has never had such an event (stream_position_unknown): read the state and reconnect without Last-Event-ID.",
      410: "The events after that one are no longer kept (stream_position_gone): read the state and reconnect without Last-Event-ID.",
      503: "All streams of this process are taken, or the database is unavailable.",
    }),
  },
});
