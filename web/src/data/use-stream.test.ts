import { beforeAll, expect, test, vi } from "vitest";

beforeAll(() => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", { querySelectorAll: () => [] });
});

test.each([
  [404, "chain_not_indexed", 10_000],
  [400, "invalid_parameter", 10_000],
  [409, "stream_position_unknown", 1_000],
  [410, "stream_position_gone", 1_000],
])("a stream that is refused with %s %s is asked for again after %s ms", async (status, code, wait) => {
  const problem = { status, code, title: "Refused", detail: "Not this." };
  const headers = { "content-type": "application/problem+json" };
  vi.stubGlobal("fetch", async () => Response.json(problem, { status, headers }));
  const { client } = await import("./client.ts");
  const { retryMs } = await import("./use-stream.ts");
  const error = await client
    .stream({})
    .next()
    .catch((refusal: unknown) => refusal);
  expect(retryMs(error)).toBe(wait);
});
