import { beforeAll, expect, test, vi } from "vitest";
import { readTexts, t } from "../language/messages.ts";

const creator = `0x${"a1".repeat(20)}`;
const to = `0x${"b2".repeat(20)}`;
const hash = `0x${"c3".repeat(32)}`;
const receipt = { status: "0x1", transactionHash: hash, blockNumber: "0x5", logs: [] };

beforeAll(async () => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", new EventTarget());
  await readTexts(["core", "trading"]);
});

async function wallet(onSend: () => void) {
  const answers: Record<string, unknown> = {
    eth_chainId: "0x38",
    eth_getCode: "0x60",
    eth_sendTransaction: hash,
    eth_getTransactionReceipt: receipt,
  };
  const { account, connected } = await import("./connection.ts");
  account.value = creator;
  const request = async ({ method }: { method: string }) => {
    if (method === "eth_sendTransaction") onSend();
    return answers[method];
  };
  connected.value = { id: "test", name: "Test", provider: { request } };
  return { account, connected };
}

const sending = { call: { to, data: "0x", value: "0x0" }, from: creator, chainId: 56 };

test("a wallet that loses a question before the signature doesn't hold up the page for ever", async () => {
  vi.useFakeTimers();
  const { createStatus, runTransaction } = await import("./run-steps.ts");
  const { connected } = await wallet(() => {});
  const { promise: never } = Promise.withResolvers<never>();
  connected.value = { id: "test", name: "Test", provider: { request: () => never } };
  const status = createStatus();
  const run = runTransaction(status, "buy", sending);
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  expect(await run).toBeUndefined();
  expect(status.value).toEqual({ kind: "failed", text: t.wallet.lostChain });
});

test("a transaction that the wallet's node has dropped holds up the page for some minutes only", async () => {
  vi.useFakeTimers();
  const { createStatus, runTransaction } = await import("./run-steps.ts");
  const { connected } = await wallet(() => {});
  const provider = connected.value?.provider;
  let polls = 0;
  const request = async (call: { method: string }) => {
    if (call.method !== "eth_getTransactionReceipt") {
      return call.method === "eth_getTransactionByHash" ? null : await provider?.request(call);
    }
    polls++;
    return null;
  };
  connected.value = { id: "test", name: "Test", provider: { request } };
  const status = createStatus();
  const hashes: (string | undefined)[] = [];
  const run = runTransaction(status, "buy", sending, { onHash: (sent) => hashes.push(sent) });
  await vi.advanceTimersByTimeAsync(170_000);
  expect(status.value).toMatchObject({ kind: "working", hash });
  await vi.advanceTimersByTimeAsync(30_000);
  vi.useRealTimers();
  expect(await run).toBeUndefined();
  expect([polls, hashes]).toEqual([181, [hash, undefined]]);
  expect(status.value).toEqual({ kind: "failed", text: t.transaction.lost("buy"), hash });
});

test("whoever stops waiting for the wallet goes on, and is told if it sends the transaction later", async () => {
  vi.useRealTimers();
  const { createStatus, runTransaction } = await import("./run-steps.ts");
  const { connected } = await wallet(() => {});
  const provider = connected.value?.provider;
  const asked: PromiseWithResolvers<string>[] = [];
  const request = async (call: { method: string }) => {
    if (call.method !== "eth_sendTransaction") return await provider?.request(call);
    asked.push(Promise.withResolvers());
    return await asked.at(-1)?.promise;
  };
  connected.value = { id: "test", name: "Test", provider: { request } };
  const status = createStatus();
  const confirm = t.transaction.confirm(t.transaction.actions.buy);
  const stop = () => (status.value.kind === "working" ? status.value.stopWaiting?.() : undefined);
  const hashes: (string | undefined)[] = [];
  const run = runTransaction(status, "buy", sending, { onHash: (sent) => hashes.push(sent) });
  // Before the wallet is asked, what is stopped would still be asked for.
  expect(status.value).toEqual({ kind: "working", text: confirm });
  await vi.waitUntil(() => asked.length === 1);
  expect(status.value).toMatchObject({ text: confirm });
  stop();
  stop();
  expect(await run).toBeUndefined();
  expect([status.value, hashes]).toEqual([{ kind: "failed", text: t.wallet.stoppedWaiting }, [undefined]]);

  const again = runTransaction(status, "buy", sending);
  await vi.waitUntil(() => asked.length === 2);
  expect(status.value).toMatchObject({ kind: "working", text: `${confirm} ${t.wallet.leftOpen}` });
  asked[0]?.resolve(hash);
  await vi.waitUntil(() => hashes.length === 1 && status.value.kind === "working");
  // What the wallet is asked at the moment is told first.
  asked[1]?.reject({ code: 4001 });
  expect(await again).toBeUndefined();
  await vi.waitUntil(() => status.value.kind === "done");
  expect(status.value).toEqual({ kind: "done", text: t.transaction.late("buy"), hash });

  // Nothing is open any more.
  const last = runTransaction(status, "buy", sending);
  await vi.waitUntil(() => asked.length === 3);
  expect(status.value).toMatchObject({ text: confirm });
  asked[2]?.resolve(hash);
  expect(await last).toEqual(receipt);
  // It was sent, so that nothing is left to be stopped.
  stop();
  expect(status.value).toEqual({ kind: "working", text: t.transaction.waiting("buy"), hash });
});

test("transactions that are sent after nobody waited for them any more are told of one after the other", async () => {
  const { createStatus, runTransaction } = await import("./run-steps.ts");
  const { connected } = await wallet(() => {});
  const provider = connected.value?.provider;
  const asked: PromiseWithResolvers<string>[] = [];
  const mined: PromiseWithResolvers<object>[] = [];
  const request = async (call: { method: string }) => {
    const waiting = { eth_sendTransaction: asked, eth_getTransactionReceipt: mined }[call.method];
    if (waiting === undefined) return await provider?.request(call);
    const answer = Promise.withResolvers<never>();
    waiting.push(answer);
    return await answer.promise;
  };
  connected.value = { id: "test", name: "Test", provider: { request } };
  const status = createStatus();
  const stop = () => (status.value.kind === "working" ? status.value.stopWaiting?.() : undefined);
  for (const nth of [1, 2]) {
    const run = runTransaction(status, "buy", sending);
    await vi.waitUntil(() => asked.length === nth);
    stop();
    await run;
  }
  const last = runTransaction(status, "buy", sending);
  await vi.waitUntil(() => asked.length === 3);
  asked[0]?.resolve(`${hash}1`);
  asked[1]?.resolve(`${hash}2`);
  await vi.waitUntil(() => status.value.kind === "working");
  asked[2]?.reject({ code: 4001 });
  expect(await last).toBeUndefined();
  await vi.waitUntil(() => mined.length > 0);
  // Otherwise the page would take another order while it still follows the second.
  expect(mined).toHaveLength(1);
  mined[0]?.resolve(receipt);
  await vi.waitUntil(() => mined.length === 2);
  expect(status.value).toMatchObject({ kind: "working", hash: `${hash}2` });
  mined[1]?.resolve(receipt);
  await vi.waitUntil(() => status.value.kind === "done");
});

test("once the wallet has answered, nothing can be stopped", async () => {
  const { askOwner } = await import("./ask-owner.ts");
  const { createStatus } = await import("./run-steps.ts");
  const status = createStatus();
  const signing = { kind: "working", text: "Sign" } as const;
  status.value = signing;
  const signature = Promise.withResolvers<string>();
  const asked = askOwner(status, () => signature.promise);
  expect(status.value).toMatchObject({ stopWaiting: expect.any(Function) });
  signature.resolve("0x51");
  expect(await asked).toBe("0x51");
  expect(status.value).toEqual(signing);
});

test("a transaction is followed to its end if the wallet is locked as it sends it", async () => {
  const { createStatus, runTransaction } = await import("./run-steps.ts");
  const signals = await wallet(() => {
    signals.account.value = undefined;
    signals.connected.value = undefined;
  });
  const status = createStatus();
  expect(await runTransaction(status, "creation", sending)).toEqual(receipt);
  expect(status.value).toMatchObject({ kind: "working", hash });
});
