import { expect, test } from "vitest";
import type { BrowserAlert } from "./alert.ts";
import { type Contents, fromFile, merge, toFile } from "./file.ts";

const addresses = (count: number, first = 0) =>
  Array.from({ length: count }, (_, at) => `0x${(first + at).toString(16).padStart(40, "0")}`);
const [one = "", two = "", three = ""] = addresses(3);
const alert: BrowserAlert = {
  ...{ occasion: "price", address: one, name: "Frog", direction: "below", limit: "0.5" },
  ...{ chainId: 97, isArmed: true, isNotified: false },
};
const contents: Contents = { watchlist: { "": [one, two], account97: [three] }, alerts: [alert] };

test("what was exported is imported, and nothing else that was stored", () => {
  expect(fromFile(toFile(contents))).toEqual(contents);
  const file = JSON.parse(toFile(contents));
  file.alerts[0].secret = "of another version";
  expect(fromFile(JSON.stringify(file))).toEqual(contents);
});

test.each<[string, unknown]>([
  ["another version", { version: 2, ...contents }],
  ["no alerts", { version: 1, watchlist: {} }],
  ["a list in place of lists", { version: 1, alerts: [], watchlist: [] }],
  ["an unknown chain", { version: 1, alerts: [], watchlist: { "1": [one] } }],
  ["a malformed address", { version: 1, alerts: [], watchlist: { "": [one, "0x12"] } }],
  ["a text in place of a list", { version: 1, alerts: [], watchlist: { "": one } }],
  ["more stars than a list may have", { version: 1, alerts: [], watchlist: { "": addresses(101) } }],
  ["a malformed alert", { version: 1, watchlist: {}, alerts: [alert, { ...alert, limit: "-1" }] }],
  [
    "more alerts than there may be",
    { version: 1, watchlist: {}, alerts: addresses(101).map((address) => ({ ...alert, address })) },
  ],
  ["a null", null],
])("a file with %s is refused", (_, file) => expect(fromFile(JSON.stringify(file))).toBeUndefined());

test("a file that isn't JSON is refused", () => expect(fromFile("watchlist")).toBeUndefined());

test("an import adds what is new after what is there, and removes nothing", () => {
  const fired = { ...alert, firedAt: 1 };
  const current: Contents = { watchlist: { "": [two], "56": [one] }, alerts: [fired] };
  const higher = { ...alert, limit: "0.7" };
  const merged = merge(current, { ...contents, alerts: [alert, higher] });
  expect(merged).toEqual({
    watchlist: { "": [two, one], "56": [one], account97: [three] },
    // The one that is there stays as it is; what the new one was compared with last is too old.
    alerts: [fired, { ...higher, isArmed: undefined }],
    stars: 2,
    added: 1,
  });
  expect(merge(merged, contents)).toMatchObject({ stars: 0, added: 0 });
});

test("an import fills a list up to its limit", () => {
  const current: Contents = { watchlist: { "": addresses(99) }, alerts: [] };
  const merged = merge(current, { watchlist: { "": addresses(3, 200) }, alerts: [] });
  expect(merged.watchlist[""]).toEqual([...addresses(99), ...addresses(1, 200)]);
  expect(merged.stars).toBe(1);
});
