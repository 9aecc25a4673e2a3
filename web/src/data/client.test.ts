import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a read that hangs is given up after a minute, in its answer too, and can be made again", async () => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("document", { querySelectorAll: () => [] });
  const timeout = new AbortController();
  const timeouts: number[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    timeouts.push(ms);
    return timeout.signal;
  });
  vi.stubGlobal("fetch", async (_: Request, { signal }: { signal?: AbortSignal } = {}) => {
    const body = new ReadableStream({
      start: (controller) => signal?.addEventListener("abort", () => controller.error(signal.reason)),
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  });
  const { api, dataOf } = await import("./client.ts");
  const reading = dataOf(api.GET("/api/stats"));
  await vi.waitUntil(() => timeouts.length > 0);
  timeout.abort(new DOMException("signal timed out", "TimeoutError"));
  await expect(reading).rejects.toThrow("timed out");
  expect(timeouts).toEqual([60_000]);
});

test("a page in place of the stream is no connection", async () => {
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("document", { querySelectorAll: () => [] });
  vi.stubGlobal(
    "fetch",
    async () => new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } }),
  );
  const { client, connection } = await import("./client.ts");
  // Other files may have lost one.
  connection.value = "off";
  const seen: string[] = [];
  const stop = connection.subscribe((state) => seen.push(state));
  await expect(client.stream().next()).rejects.toMatchObject({ code: "not_the_api" });
  stop();
  expect(seen).toEqual(["off", "lost"]);
});
