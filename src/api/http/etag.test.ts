import { Hono } from "hono";
import { cors } from "hono/cors";
import { describe, expect, test } from "vitest";
import { handleError } from "./error-handler.ts";
import { etagOf, withEtag } from "./etag.ts";
import { invalidParameter, problemResponse } from "./problem.ts";
import { shareJson } from "./shared-json.ts";

const content = { a: 1 };
const body = JSON.stringify(content);

const app = new Hono()
  .use(async (c, next) => {
    c.header("RateLimit", '"reads";r=1;t=1');
    await next();
  })
  .get("/each-time", withEtag(), (c) => c.json(content, 200))
  .get("/failing", withEtag(), (c) => c.json(content, 503))
  .get("/shared", (c) => shareJson(content).send(c, "no-cache"));

const tagOf = async (path: string) => (await app.request(path)).headers.get("etag") ?? "";

test("different texts have different ETags", () => {
  expect(etagOf('{"a":2}')).not.toBe(etagOf(body));
  expect(etagOf(body)).toBe(etagOf(body));
});

describe.each(["/each-time", "/shared"])("%s", (path) => {
  test.each([
    ["nothing", () => undefined, 200],
    ["another tag", () => '"other"', 200],
    ["the tag", (etag: string) => etag, 304],
    ["the tag, weak", (etag: string) => `W/${etag}`, 304],
    ["the tag among others", (etag: string) => `"other" , W/${etag}`, 304],
    ["any", () => "*", 304],
    ["the tag without quotes", (etag: string) => etag.slice(1, -1), 200],
    ["an empty list", () => "", 200],
  ])("If-None-Match has %s", async (_, ifNoneMatchOf, status) => {
    const etag = await tagOf(path);
    const ifNoneMatch = ifNoneMatchOf(etag);
    const headers: Record<string, string> = ifNoneMatch === undefined ? {} : { "If-None-Match": ifNoneMatch };
    for (const method of ["GET", "HEAD"]) {
      const response = await app.request(path, { method, headers });
      expect(response.status).toBe(status);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        etag,
        "cache-control": "no-cache",
        "content-type": expect.stringContaining("application/json"),
        ratelimit: '"reads";r=1;t=1',
      });
      expect(await response.text()).toBe(status === 304 || method === "HEAD" ? "" : body);
    }
  });
});

test("a failure has no ETag", async () => {
  const response = await app.request("/failing", { headers: { "If-None-Match": "*" } });
  expect([response.status, response.headers.get("etag")]).toEqual([503, null]);
});

test("a problem is not stored by caches, whatever the answer's lifetime is", async () => {
  // Ponder's server has it, which makes headers that are set early replace later ones.
  const served = new Hono()
    .use(cors())
    .get("/answered", withEtag("public, max-age=30"), (c) => c.json(content, 200))
    .get("/refused", withEtag("public, max-age=30"), (c) =>
      problemResponse(c, { status: 404, code: "token_not_found", title: "Token not found", detail: "None." }),
    )
    .get("/thrown", withEtag("public, max-age=30"), () => {
      throw invalidParameter("mint", "is wrong");
    })
    .onError(handleError);
  const lifetimeOf = async (path: string) => (await served.request(path)).headers.get("cache-control");
  expect(await lifetimeOf("/answered")).toBe("public, max-age=30");
  expect(await lifetimeOf("/refused")).toBe("no-store");
  expect(await lifetimeOf("/thrown")).toBe("no-store");
});
