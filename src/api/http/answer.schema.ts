import type { z } from "@hono/zod-openapi";

const notModified = { description: "What the client has (If-None-Match) is still true." };

/** Marks a response that has an ETag, until the document is made. */
const hasEtag = "x-has-etag";

/**
 * The OpenAPI entry of JSON that is answered with an ETag. Without the 304: it has no content, and a route with such a
 * response accepts any `Response` of its handler. The document gets it by {@link addNotModified}.
 */
export const jsonAnswers = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, content: { "application/json": { schema } }, [hasEtag]: true },
});

type Operation = { responses?: Record<string, object> };

/** Adds the 304 to each operation that answers with {@link jsonAnswers}. */
export function addNotModified(paths: Record<string, object> | undefined): void {
  for (const operation of Object.values(paths ?? {}).flatMap((path): Operation[] => Object.values(path))) {
    const { 200: answer } = operation.responses ?? {};
    if (answer === undefined || !(hasEtag in answer)) continue;
    delete answer[hasEtag];
    operation.responses = { ...operation.responses, 304: notModified };
  }
}
