import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

const from = `0x${"ab".repeat(20)}`;
const buy = { from, to: `0x${"cd".repeat(20)}`, input: "0x01", value: "0x5", nonce: "0x7" };

type Transaction = typeof buy & { hash: string };

beforeAll(() => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", { querySelectorAll: () => [] });
});
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const hex = (number: number) => `0x${number.toString(16)}`;

/** A node at block 1,000 that knew a pending transaction when it was first asked, and then has another one with its nonce in a block. */
function createProvider(mined: Transaction, minedIn: number, oldestState = 0) {
  const head = 1_000;
  let asked = 0;
  const answers: Record<string, (...params: string[]) => unknown> = {
    eth_chainId: () => "0x38",
    eth_blockNumber: () => hex(head),
    eth_getTransactionReceipt: (hash) =>
      hash === mined.hash
        ? { status: "0x1", transactionHash: hash, blockNumber: hex(minedIn), logs: [] }
        : null,
    eth_getTransactionByHash: () => (asked++ === 0 ? { ...buy, hash: "0x1" } : null),
    eth_getTransactionCount(_, block) {
      const at = block === "latest" ? head : Number(block);
      if (at < oldestState) throw new Error("missing trie node");
      return hex(at >= minedIn ? 8 : 7);
    },
    eth_getBlockByNumber: (number) => ({ transactions: Number(number) === minedIn ? [mined] : [] }),
  };
  const calls: string[] = [];
  return {
    calls,
    async request({ method, params }: { method: string; params?: unknown }) {
      calls.push(method);
      return answers[method]?.(...(params as string[]));
    },
  };
}

async function outcomeOf(provider: ReturnType<typeof createProvider>) {
  const { waitForOutcome } = await import("./transaction.ts");
  const outcome = waitForOutcome(provider, { hash: "0x1", from, chainId: 56 });
  await vi.advanceTimersByTimeAsync(60_000);
  return await outcome;
}

test.each([1_000, 995, 900, 400])(
  "a transaction that was sped up is followed, also if the page notices it late (in block %i of 1,000)",
  async (minedIn) => {
    const provider = createProvider({ ...buy, hash: "0x2" }, minedIn);
    expect(await outcomeOf(provider)).toMatchObject({ kind: "mined", hash: "0x2" });
    expect(provider.calls.filter((method) => method === "eth_getBlockByNumber")).toHaveLength(1);
  },
);

test("a cancellation is told from another transaction", async () => {
  const cancellation = { ...buy, to: from, input: "0x", value: "0x0", hash: "0x2" };
  expect(await outcomeOf(createProvider(cancellation, 500))).toMatchObject({ kind: "cancelled" });
  const other = { ...buy, input: "0x02", hash: "0x2" };
  expect(await outcomeOf(createProvider(other, 500))).toMatchObject({ kind: "replaced", hash: "0x2" });
});

test("what has taken the place of a transaction, and can't be found, is not said to be another one", async () => {
  const provider = createProvider({ ...buy, hash: "0x2" }, 400, 900);
  expect(await outcomeOf(provider)).toMatchObject({ kind: "lost" });
});

test("a transaction isn't taken for lost or replaced while the wallet is on another chain, where its nonce was used long ago", async () => {
  const { waitForOutcome } = await import("./transaction.ts");
  const there = createProvider({ ...buy, hash: "0x2" }, 400);
  const foreign = createProvider({ ...buy, to: from, input: "0x09", hash: "0x3" }, 500);
  let isAway = false;
  const wallet = {
    async request(call: { method: string; params?: unknown }) {
      if (isAway && call.method === "eth_chainId") return "0x1";
      if (isAway && call.method === "eth_getTransactionByHash") return null;
      return await (isAway ? foreign : there).request(call);
    },
  };
  const noted: boolean[] = [];
  const ended = vi.fn();
  const outcome = waitForOutcome(wallet, { hash: "0x1", from, chainId: 56 }, (is) => noted.push(is));
  void outcome.then(ended);
  await vi.advanceTimersByTimeAsync(500);
  isAway = true;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ended).not.toHaveBeenCalled();
  expect(noted).toEqual([true]);
  isAway = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await outcome).toMatchObject({ kind: "mined", hash: "0x2" });
  expect(noted).toEqual([true, false]);
});
