import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env } from "hono";
import { z } from "zod";
import { handleError } from "./error-handler.ts";
import { type ProblemError, problemResponse } from "./problem.ts";

/** A part of the API: its routes validate by their schemas, and are in the OpenAPI document. */
export function createRouter(): OpenAPIHono {
  const router = new OpenAPIHono({ defaultHook: refuseInvalid });
  router.onError(handleError);
  return router;
}

type Validation = { target: string; success: boolean; error?: unknown };

/** Answers a request that its route's schema does not accept, naming every value that is wrong. */
function refuseInvalid(result: Validation, c: Context<Env>): Response | undefined {
  if (result.success || !(result.error instanceof z.ZodError)) return undefined;
  const isRepeated = (name: string) => result.target === "query" && (c.req.queries(name)?.length ?? 0) > 1;
  const errors = result.error.issues.flatMap((issue) => describe(issue, isRepeated));
  return problemResponse(c, {
    status: 400,
    code: "invalid_request",
    title: "Invalid request",
    detail: errors.map(({ path, message }) => `${path || "the request"} ${message}`).join("; "),
    errors,
  });
}

function describe(issue: z.core.$ZodIssue, isRepeated: (name: string) => boolean): ProblemError[] {
  const [name] = issue.path;
  if (typeof name === "string" && isRepeated(name)) {
    return [{ path: name, message: "is given more than once: give it once" }];
  }
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...issue.path, key].join("."),
      message: "is not a field of this request: take it out",
    }));
  }
  return [{ path: issue.path.join("."), message: issue.message }];
}
