import type { z } from "@hono/zod-openapi";

const notModified = { description: "The copy that the client has (If-None-Match) is still current." };

/** Marks a response with an ETag, until the document is generated. */
const hasEtag = "x-has-etag";

/**
 * The OpenAPI entry of a JSON response with an ETag. It declares no 304: that has no content, and a route with such a
 * response lets its handler return any `Response`. {@link addNotModified} adds it to the document.
 */
export const jsonAnswers = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, content: { "application/json": { schema } }, [hasEtag]: true },
});

type Operation = { responses?: Record<string, object> };

/** Adds a 304 to every operation that responds with {@link jsonAnswers}. */
export function addNotModified(paths: Record<string, object> | undefined): void {
  for (const operation of Object.values(paths ?? {}).flatMap((path): Operation[] => Object.values(path))) {
    const { 200: answer } = operation.responses ?? {};
    if (answer === undefined || !(hasEtag in answer)) continue;
    delete answer[hasEtag];
    operation.responses = { ...operation.responses, 304: notModified };
  }
}
