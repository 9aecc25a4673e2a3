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
  const outcome = waitForOutcome(provider, "0x1", from);
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
