import { z } from "@hono/zod-openapi";

/** The fields of a response that say which page of a list it is: as requested, and whether another one follows. */
export const pageFields = { page: z.int(), limit: z.int(), hasMore: z.boolean() };
