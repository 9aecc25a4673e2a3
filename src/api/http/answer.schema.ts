import type { z } from "@hono/zod-openapi";

/** The OpenAPI entries of JSON that is answered with an ETag. */
export const jsonAnswers = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, content: { "application/json": { schema } } },
  304: { description: "What the client has (If-None-Match) is still true." },
});
