import { beforeAll, expect, test, vi } from "vitest";
import type { Draft } from "../alerts/rules.ts";
import { readTexts } from "../language/messages.ts";

beforeAll(async () => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", { querySelector: () => null });
  await readTexts(["core"]);
});

test("the limit of a very cheap token's price may have as many decimals as the field takes", async () => {
  const { toBrowserAlert } = await import("./form.tsx");
  const mint = `0x${"5a".repeat(20)}`;
  const limit = `0.${"0".repeat(19)}25`;
  const draft = { occasion: "price", direction: "above", limit: limit.replace(".", ",") } as Draft;
  const now = { priceBnb: `0.${"0".repeat(19)}1` };
  const alert = toBrowserAlert(draft, { kind: "token", mint, graduated: false, now }, "Frog");
  expect(alert).toMatchObject({ occasion: "price", limit, isArmed: true });
});
