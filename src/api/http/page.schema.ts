import { z } from "@hono/zod-openapi";

/** Which page of a list an answer is: what was asked for, and whether there is another after it. */
export const place = { page: z.int(), limit: z.int(), hasMore: z.boolean() };
