import { createRoute, z } from "@hono/zod-openapi";
import { expect, test } from "vitest";
import { createRouter } from "./router.ts";

const rule = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("events"), minBnb: z.string().optional() }),
  z.strictObject({ type: z.literal("crosses"), metric: z.string(), limit: z.int() }),
]);
const schema = z.strictObject({
  owner: z.string(),
  websiteUrl: z.string().optional(),
  rule: rule.optional(),
  rules: z
    .array(rule)
    .transform((rules) => rules.length)
    .optional(),
});

const router = createRouter().openapi(
  createRoute({
    method: "post",
    path: "/",
    request: { body: { required: true, content: { "application/json": { schema } } } },
    responses: { 200: { description: "Yes." } },
  }),
  (c) => c.body(null),
);

/** Returns the errors of the answer, as "path message". */
async function errorsOf(body: object): Promise<string[]> {
  const headers = { "content-type": "application/json" };
  const answer = await router.request("/", { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(400);
  const { errors } = (await answer.json()) as { errors: { path: string; message: string }[] };
  return errors.map(({ path, message }) => `${path} ${message}`);
}

test("an unknown field of a body is refused with the nearest known name, at any depth", async () => {
  expect(await errorsOf({ owner: "a", websiteURL: "b", x: 1 })).toEqual([
    "websiteURL is not a field of this request: did you mean websiteUrl?",
    "x is not a field of this request: it takes owner, websiteUrl, rule and rules",
  ]);
  expect(await errorsOf({ owner: "a", rule: { type: "events", minBNB: "1" } })).toEqual([
    "rule.minBNB is not a field of this request: did you mean minBnb?",
  ]);
  expect(await errorsOf({ owner: "a", rules: [{ type: "events", minBNB: "1" }] })).toEqual([
    "rules.0.minBNB is not a field of this request: did you mean minBnb?",
  ]);
});

test("an unknown field of a body that is prepared before it is checked is refused likewise", async () => {
  const prepared = createRouter().openapi(
    createRoute({
      method: "post",
      path: "/",
      request: {
        body: {
          required: true,
          content: { "application/json": { schema: z.preprocess((body) => body, schema) } },
        },
      },
      responses: { 200: { description: "Yes." } },
    }),
    (c) => c.body(null),
  );
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ owner: "a", websiteURL: "b" });
  const answer = await prepared.request("/", { method: "POST", headers, body });
  expect(await answer.json()).toMatchObject({
    detail: "websiteURL is not a field of this request: did you mean websiteUrl?",
  });
});

test("a wrong type is named in the words of the API where the schema has none", async () => {
  expect(await errorsOf({ rule: { type: "crosses", metric: 1, limit: 1.5 } })).toEqual([
    "owner is missing",
    "rule.metric must be a string",
    "rule.limit must be a whole number",
  ]);
});

const search = createRouter().openapi(
  createRoute({
    method: "get",
    path: "/search",
    request: { query: z.object({ q: z.string() }) },
    responses: { 200: { description: "Yes." } },
  }),
  (c) => c.text(c.req.valid("query").q),
);

test.each(["%", "%FF", "%ED%A0%80", "a%2", "%E9t%E9"])(
  "the query q=%s, which is no UTF-8, is refused",
  async (q) => {
    const answer = await search.request(`/search?q=${q}`);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: "invalid_request", detail: expect.stringContaining("is no UTF-8") }),
    ]);
  },
);

test.each([
  ["%25", "%"],
  ["%F0%9F%90%B8+%2B", "🐸 +"],
  ["%00", "\0"],
  ["50", "50"],
])("the query q=%s is read", async (q, text) => {
  expect(await (await search.request(`/search?q=${q}`)).text()).toBe(text);
});
