import type { Context } from "hono";
import type { Variables } from "./arguments.ts";

export type GraphqlRequest = { query: string; variables: Variables; operationName: string | undefined };

/** Reads the query from the body or, for GET, from the URL; undefined if it is malformed. */
export async function readRequest(c: Context): Promise<GraphqlRequest | undefined> {
  const request = c.req.method === "GET" ? readUrl(c) : await c.req.json().catch(() => undefined);
  if (typeof request !== "object" || request === null) return undefined;
  const { query, variables, operationName } = request as Record<string, unknown>;
  if (typeof query !== "string" || !isVariables(variables)) return undefined;
  if (!(operationName === undefined || operationName === null || typeof operationName === "string"))
    return undefined;
  return { query, variables: variables ?? {}, operationName: operationName || undefined };
}

function readUrl(c: Context): object | undefined {
  const { query, variables, operationName } = c.req.query();
  try {
    return { query, operationName, variables: variables ? JSON.parse(variables) : undefined };
  } catch {
    return undefined;
  }
}

function isVariables(given: unknown): given is Variables | null | undefined {
  return given === undefined || given === null || (typeof given === "object" && !Array.isArray(given));
}
