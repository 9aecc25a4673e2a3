import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env } from "hono";
import { z } from "zod";
import { handleError } from "./error-handler.ts";
import { parameterNames, unknownParameter, withKnownParameters } from "./known-parameters.ts";
import { type ProblemError, problemResponse } from "./problem.ts";

/** The most invalid values that a response names. */
const maxErrors = 20;

/** Creates a part of the API, whose routes validate requests by their schemas and are in the OpenAPI document. */
export function createRouter(): OpenAPIHono {
  const router = new OpenAPIHono();
  const { openapi } = router;
  router.openapi = ((route, handler) =>
    openapi(
      withKnownParameters(route),
      handler,
      refuseInvalid(parameterNames(route)) as Parameters<typeof openapi>[2],
    )) as typeof openapi;
  router.onError(handleError);
  return router;
}

type Validation = { target: string; success: boolean; error?: unknown };

/** Responds to a request that its route's schema does not accept, and names the invalid values. */
function refuseInvalid(parameters: string[]) {
  return (result: Validation, c: Context<Env>): Response | undefined => {
    if (result.success || !(result.error instanceof z.ZodError)) return undefined;
    const isQuery = result.target === "query";
    const isRepeated = (name: string) => isQuery && (c.req.queries(name)?.length ?? 0) > 1;
    const nameUnknown = isQuery ? (key: string) => unknownParameter(key, parameters) : unknownField;
    const errors = result.error.issues
      .flatMap((issue) => toProblemErrors(issue, isRepeated, nameUnknown))
      .slice(0, maxErrors);
    return problemResponse(c, {
      status: 400,
      code: "invalid_request",
      title: "Invalid request",
      detail: errors.map(({ path, message }) => `${path || "the request"} ${message}`).join("; "),
      errors,
    });
  };
}

function toProblemErrors(
  issue: z.core.$ZodIssue,
  isRepeated: (name: string) => boolean,
  nameUnknown: (key: string) => ProblemError,
): ProblemError[] {
  const [name] = issue.path;
  if (typeof name === "string" && isRepeated(name)) {
    return [{ path: name, message: "is given more than once: give it once" }];
  }
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, maxErrors).map((key) => nameUnknown([...issue.path, key].join(".")));
  }
  return [{ path: issue.path.join("."), message: issue.message }];
}

const unknownField = (path: string): ProblemError => ({
  path,
  message: "is not a field of this request: take it out",
});
