import type { z } from "@hono/zod-openapi";

const notModified = { description: "The client's copy (If-None-Match) is still current." };

/** Marks a response that has an ETag. Removed when the document is generated. */
const etagMarker = "x-has-etag";

/**
 * The OpenAPI entry of a JSON response with an ETag. It declares no 304: a 304 has no content, and a route with a
 * response without content lets its handler return any `Response`. {@link addNotModified} adds it to the document.
 */
export const jsonAnswers = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, content: { "application/json": { schema } }, [etagMarker]: true },
});

type Operation = { responses?: Record<string, object> };

/** Adds a 304 to every operation that responds with {@link jsonAnswers}. */
export function addNotModified(paths: Record<string, object> | undefined): void {
  for (const operation of Object.values(paths ?? {}).flatMap((path): Operation[] => Object.values(path))) {
    const { 200: answer } = operation.responses ?? {};
    if (answer === undefined || !(etagMarker in answer)) continue;
    delete answer[etagMarker];
    operation.responses = { ...operation.responses, 304: notModified };
  }
}
