import { beforeAll, expect, test, vi } from "vitest";
import { readTexts, t } from "../language/messages.ts";

beforeAll(async () => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", new EventTarget());
  await readTexts(["core"]);
});

const explainError = async (error: unknown) => (await import("./explain.ts")).explain(error);

test("a service that doesn't answer is said to, however the browser says that", async () => {
  vi.stubGlobal("document", { querySelectorAll: () => [] });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Der Server antwortet nicht.")));
  const { api, dataOf } = await import("../data/client.ts");
  const error: unknown = await dataOf(api.GET("/api/stats")).catch((reason: unknown) => reason);
  expect(await explainError(error)).toBe(t.wallet.serviceUnreachable);
});

test.each(["network error", "Error in input stream", "The network connection was lost."])(
  "so is an answer that broke off: %s",
  async (message) => expect(await explainError(new TypeError(message))).toBe(t.wallet.serviceUnreachable),
);

test("a mistake of the page is neither the service's nor the wallet's", async () => {
  const mistake = new TypeError("Cannot read properties of undefined (reading 'rpc')");
  expect(await explainError(mistake)).toBe(t.wallet.pageFailed(mistake.message));
  expect(await explainError(new SyntaxError("Cannot convert 1.5 to a BigInt"))).toMatch(
    /^The page has failed/,
  );
});

test("what wallets say stays the wallet's", async () => {
  expect(await explainError({ code: -32_603, message: "Failed to fetch" })).toBe(t.wallet.chainUnreachable);
  expect(await explainError(new Error("nonce too low"))).toBe(t.wallet.refused("nonce too low"));
});

test.each([
  { code: 4001, message: "Nope" },
  { code: -32_603, message: "User rejected the request" },
  { code: 5002, message: "User rejected methods." },
  new Error("MetaMask Tx Signature: User denied transaction signature."),
  { message: "user canceled" },
])("who says no in the wallet is told that nothing was sent: %o", async (error) => {
  const { isRejection } = await import("./explain.ts");
  expect(isRejection(error)).toBe(true);
  expect(await explainError(error)).toBe(t.wallet.rejected);
});

test.each([undefined, null, "no", { code: -32_603, message: "Internal JSON-RPC error." }])(
  "a wallet that can't do something has not been told no: %o",
  async (error) => {
    const { isRejection } = await import("./explain.ts");
    expect(isRejection(error)).toBe(false);
  },
);
