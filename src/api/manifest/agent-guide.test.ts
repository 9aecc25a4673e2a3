import { expect, test } from "vitest";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { servedDocument } from "../../../test/service/served-document.ts";
import { agentFaq, guideText } from "./agent-guide.ts";

/* The guide names requests and errors in prose. Each of them must exist. */

type Operation = { parameters?: { name: string; in: string }[] };

const { paths } = JSON.parse(await servedDocument()) as { paths: Record<string, Record<string, Operation>> };

// Such as GET /api/curve/<mint>/quote?side=buy&account=<your address>. The OpenAPI document doesn't list itself.
const request = /(GET|POST) (\/api(?!\/openapi)(?:[\w/<>.-]*[\w>])?)(\?(?:<[^>]*>|[\w=&,.])*)?/g;
const named = [...guideText.matchAll(request)].map(([request, method = "", path = "", query = ""]) => ({
  request,
  method: method.toLowerCase(),
  path: path.replaceAll(/<[^>]*>/g, "{}"),
  parameters: [...query.matchAll(/[?&](\w+)=/g)].map(([, name]) => name),
}));

test.each(named)("$request exists, with its parameters", ({ method, path, parameters }) => {
  const served = Object.keys(paths).find((known) => known.replaceAll(/\{[^}]*\}/g, "{}") === path) ?? "";
  const operation = paths[served]?.[method];
  expect(operation).toBeDefined();
  const known = operation?.parameters?.filter((parameter) => parameter.in === "query") ?? [];
  expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(parameters));
});

test("it says how to send a transaction, follow an account and quote again", () => {
  const has = (request: string) => named.some((found) => found.request.startsWith(request));
  expect(has("GET /api/stream?trader=")).toBe(true);
  expect(has("GET /api/events?trader=")).toBe(true);
  const [sending] = agentFaq.filter(({ a }) => a.includes("eth_sendRawTransaction"));
  expect(sending?.a).toContain("GET /api/transaction/<hash>");
});

test("errors that mean a new quote is needed are errors of the contract", () => {
  const answer = agentFaq.find(({ q }) => q.includes("new quote"))?.a ?? "";
  const errors = launchpadAbi.flatMap((entry) => (entry.type === "error" ? [entry.name] : []));
  const mentioned = answer.match(/\b[A-Z][a-z]+[A-Z][a-z]+\b/g) ?? [];
  expect(mentioned).toHaveLength(3);
  expect(errors).toEqual(expect.arrayContaining(mentioned));
});
