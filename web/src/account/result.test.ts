import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { beforeAll, expect, test, vi } from "vitest";
import { readTexts } from "../language/messages.ts";

beforeAll(async () => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", { querySelector: () => null, documentElement: { dataset: {} } });
  await readTexts(["core"]);
});

const proceeds = { bnb: "1.5", usd: "27" };

test.each([
  ["bnb", { bnb: "0.5", usd: "-3" }, "+0.5 BNB"],
  ["bnb", { bnb: "0.5", usd: "-3", proceeds }, "+0.5 BNB (+50.0%)"],
  ["usd", { bnb: "0.5", usd: "-3", proceeds }, "−$3.00 (−10.0%)"],
  // A rate was unknown.
  ["usd", { bnb: "0.5", proceeds }, "+0.5 BNB (+50.0%)"],
  // They cost nothing, or can't be sold.
  ["bnb", { bnb: "1.5", proceeds }, "+1.5 BNB"],
  ["bnb", { bnb: null, proceeds: { bnb: null } }, "–"],
] as const)("in %s, %j is %s", async (unit, result, shown) => {
  const { currency } = await import("../data/settings.ts");
  const { Result } = await import("./result.tsx");
  currency.value = unit;
  const html = renderToString(h(Result, result));
  expect(html.replaceAll(/<[^>]*>/g, "")).toBe(shown);
});
