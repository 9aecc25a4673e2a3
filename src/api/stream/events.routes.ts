import { createRoute, z } from "@hono/zod-openapi";
import { chainId, wholeNumber } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";
import { streamEvent } from "./stream-event.schema.ts";
import { filterParameters, streamCursor } from "./stream-filter.schema.ts";

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
      cursor: streamCursor.openapi({
        type: "string",
        description: "The nextCursor of the previous response, or the cursor of an event.",
        example: "152-31",
      }),
      timeout: wholeNumber(0, maxWaitSeconds).optional().default(maxWaitSeconds).openapi({
        type: "integer",
        minimum: 0,
        maximum: maxWaitSeconds,
        default: maxWaitSeconds,
        description: "Seconds to wait for an event.",
      }),
      limit: wholeNumber(1, maxEvents).optional().default(maxEvents).openapi({
        type: "integer",
        minimum: 1,
        maximum: maxEvents,
        default: maxEvents,
        description: "The most events.",
      }),
    }),
  },
  responses: {
    200: {
      description: "Events, and the cursor to continue with.",
      content: { "application/json": { schema: events } },
    },
    ...problems({
      400: "A parameter is wrong.",
      404: "The chain is not indexed here.",
      409: "This database has never had such an event (stream_position_unknown): read the state and start over, without cursor.",
      410: "The events after that one are no longer kept (stream_position_gone): read the state and start over, without cursor.",
      503: "All streams of this process are taken, or the database is unavailable, or the stream has not begun.",
    }),
  },
});
