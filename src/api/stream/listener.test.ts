import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { query } from "../../../runtime/process/fixtures/query.ts";
import { until } from "../../../test/service/condition.ts";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { restMs, startListener } from "./worker.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test("a flood of notifications from a role that only reads causes few notices, and the last one is not lost", async () => {
  const notices: (string | undefined)[] = [];
  const listener = startListener({
    part: "stream",
    url: database.url,
    name: "flooded",
    channels: ["offchain_stream", "other"],
    onNotice: (channel) => void notices.push(channel),
  });
  try {
    await until("the listener to listen", async () => notices.length > 0);
    const began = performance.now();
    const forged = Array.from({ length: 3_000 }, (_, index) => `notify offchain_stream, '${index}'`);
    await query(database.readUrl, forged.map((text) => `begin; ${text}; commit`).join(";"));
    await until("the first notice", async () => notices.includes("offchain_stream"));
    // One on another channel, sent afterwards, arrives after all of them.
    await query(database.url, "notify other");
    await until("the other channel's notice", async () => notices.includes("other"));
    const seen = () => notices.filter((channel) => channel === "offchain_stream").length;
    expect(seen()).toBeLessThanOrEqual((performance.now() - began) / restMs + 2);
    // The first one at once, and one more for those that came right after it.
    await until("the last notice", async () => seen() >= 2);
  } finally {
    await listener.stop();
  }
});

test("a connection that can't be made for long is logged once, with the reason", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const url = Object.assign(new URL(database.url), { password: "wrong" }).href;
  const listener = startListener({
    part: "stream",
    url,
    name: "refused",
    channels: ["other"],
    onNotice() {},
    patienceMs: 100,
  });
  try {
    await expect.poll(() => warn.mock.calls.length).toBe(1);
    expect(warn.mock.calls[0]?.[0]).toMatch(
      /^stream: no connection to Postgres that announces events \(password authentication failed/,
    );
  } finally {
    await listener.stop();
    warn.mockRestore();
  }
});
