import { z } from "@hono/zod-openapi";
import { problemCodes } from "./problem.ts";

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().openapi({ description: "What is wrong and what to do about it, for people to read." }),
    code: z.enum(problemCodes).openapi({
      description: "Stable: programs may switch on it. More codes may be added.",
      example: "invalid_request",
    }),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: "Every value that is wrong." }),
    sqlState: z.string().optional().openapi({ description: "For SQL: Postgres's error code." }),
    position: z
      .int()
      .optional()
      .openapi({ description: "For SQL: the position of the error in the statement, in characters from 1." }),
    requestId: z
      .string()
      .optional()
      .openapi({ description: "Of the request, as in `X-Request-Id`, if the service logs requests." }),
  })
  .openapi("Problem");

const retryStatuses = new Set(["429", "502", "503"]);
const retryAfter = {
  schema: { type: "integer" as const },
  description: "Seconds to wait before trying again.",
};

const busy = "Code `busy`: too many requests are queued.";

/** What most routes that read a chain refuse or fail with. */
export const chainProblems = {
  400: "A parameter is wrong.",
  404: "The chain is not indexed here.",
  503: "The database is unavailable.",
};

/** Those of routes about one token, and of routes that show what its registration says. */
export const tokenProblems = {
  ...chainProblems,
  404: "The index has no such token (yet), or the chain is not indexed here.",
};
export const shownTokenProblems = {
  ...tokenProblems,
  451: "The operator has hidden the token: `detail` has the reason.",
};

/** The OpenAPI entries of the errors that a route responds with, by status. */
export function problems<Descriptions extends Record<number, string>>(descriptions: Descriptions) {
  return Object.fromEntries(
    Object.entries({ 429: "Too many requests: try again after Retry-After seconds.", ...descriptions }).map(
      ([status, description]) => [
        status,
        {
          description: status === "503" ? `${description} ${busy}` : description,
          content: { "application/problem+json": { schema: problem } },
          ...(retryStatuses.has(status) ? { headers: { "Retry-After": retryAfter } } : {}),
        },
      ],
    ),
  );
}
