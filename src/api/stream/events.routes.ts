import { createRoute, z } from "@hono/zod-openapi";
import { chainId, wholeNumber } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";
import { streamEvent } from "./stream-event.schema.ts";
import { filterParameters, streamCursor } from "./stream-filter.schema.ts";

/** Seconds. Below what proxies and clients wait for. */
const longestWait = 25;
const mostEvents = 100;

const events = z
  .object({
    events: z.array(streamEvent).openapi({ description: "In order. Empty where nothing came in time." }),
    nextCursor: z.string().openapi({
      description: "The `cursor` of the next request, which goes on exactly after these events.",
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
  summary: "The next events of the stream, for clients that can't hold one: waits until there are some.",
  description:
    "The same events as `GET /api/stream`, asked for one batch at a time. Without `cursor`: waits for what comes from now on. With it: what came since, at once where there is something. Ask again with nextCursor, and nothing is missed and nothing comes twice, also after a restart of the service and from another replica.",
  request: {
    query: z.object({
      ...filterParameters,
      chainId,
      cursor: streamCursor.openapi({
        type: "string",
        description: "The nextCursor of the answer before, or the id of an event of the stream.",
        example: "152-31",
      }),
      timeout: wholeNumber(0, longestWait).optional().default(longestWait).openapi({
        type: "integer",
        minimum: 0,
        maximum: longestWait,
        default: longestWait,
        description: "Seconds to wait for an event.",
      }),
      limit: wholeNumber(1, mostEvents).optional().default(mostEvents).openapi({
        type: "integer",
        minimum: 1,
        maximum: mostEvents,
        default: mostEvents,
        description: "The most events.",
      }),
    }),
  },
  responses: {
    200: {
      description: "Events, and where to go on.",
      content: { "application/json": { schema: events } },
    },
    ...problems({
      400: "A parameter is wrong.",
      404: "The chain is not indexed here.",
      409: "This database has not had such an event (stream_position_unknown): read the state and begin anew, without cursor.",
      410: "What followed that event is not kept any more (stream_position_gone): read the state and begin anew, without cursor.",
      503: "All streams of this process are taken, or the database is away, or the stream has not begun.",
    }),
  },
});
