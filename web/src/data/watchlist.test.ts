import { beforeAll, expect, test, vi } from "vitest";

beforeAll(() => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", { querySelectorAll: () => [] });
});

test("what was starred first stays when a watchlist is full", async () => {
  const { isWatchlistFull, toggleStar, watchlist } = await import("./watchlist.ts");
  const addresses = Array.from({ length: 101 }, (_, at) => `0x${String(at).padStart(40, "0")}`);
  const [first = ""] = addresses;
  const last = addresses.pop() ?? "";
  for (const address of addresses) toggleStar(address, "token");
  expect(watchlist("token")).toEqual(addresses.toReversed());
  expect(isWatchlistFull("token")).toBe(true);
  toggleStar(last, "token");
  expect(watchlist("token")).toEqual(addresses.toReversed());
  // Accounts have a list of their own.
  toggleStar(last, "account");
  expect(watchlist("account")).toEqual([last]);

  toggleStar(first, "token");
  toggleStar(last, "token");
  expect(watchlist("token")[0]).toBe(last);
  expect(watchlist("token")).not.toContain(first);
});
