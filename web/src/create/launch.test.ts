import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { readTexts } from "../language/messages.ts";
import type { Launch } from "./draft.ts";
import { encodeCreate } from "./encode-create.ts";
import type { FirstBuyQuote } from "./first-buy.tsx";

const address = `0x${"ab".repeat(20)}`;
let answer: (request: Request) => Response | Promise<Response>;

const problem = (status: number, code: string) => () =>
  Response.json(
    { status, code, title: "Refused", detail: "Not this." },
    { status, headers: { "content-type": "application/problem+json" } },
  );

beforeAll(async () => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", { querySelectorAll: () => [] });
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  });
  vi.stubGlobal("fetch", async (request: Request) => answer(request));
  await readTexts(["core", "trading", "create"]);
});

beforeEach(async () => {
  const { form, launches } = await import("./draft.ts");
  const filled = { ...form.peek(), name: "Brave Frog", symbol: "FROG", isSigned: false };
  launches.value = [{ form: filled, chainId: 56, creator: address, hash: "0x1", mint: address }];
});

test.each([
  [422, "denied", true],
  [409, "already_registered", true],
  // The token's block may not be there yet.
  [404, "token_not_found", undefined],
  [503, "busy", undefined],
] as const)(
  "whether a registration goes on by itself after %s %s: not if refused (%s)",
  async (status, code, isRefused) => {
    const { launchOf } = await import("./draft.ts");
    const { resumeLaunch, status: shown } = await import("./launch.ts");
    answer = problem(status, code);
    expect(await resumeLaunch(address)).toBeUndefined();
    expect(shown.value.kind).toBe("failed");
    expect(launchOf(address)).toMatchObject({ mint: address });
    expect(launchOf(address)?.isRefused).toBe(isRefused);
  },
);

/** The service as it answers whoever has created no token yet. */
const answerCreatorWithoutTokens = ({ url }: Request) =>
  Response.json(
    url.includes("/created-tokens")
      ? { createdTokens: [] }
      : { contracts: { launchpad: address, tokenFactory: `0x${"fa".repeat(20)}` } },
  );

test("a launch ends with its registration, of which two clicks make one", async () => {
  const { launchOf } = await import("./draft.ts");
  const { resumeLaunch, status } = await import("./launch.ts");
  answer = () => Response.json({ mint: address }, { status: 201 });
  const [first, second] = [resumeLaunch(address), resumeLaunch(address)];
  expect([await first, await second]).toEqual([address, undefined]);
  expect(launchOf(address)).toBeUndefined();
  expect(status.value.kind).toBe("done");
});

test("if the wallet can't sign, nothing is registered until the creator says so", async () => {
  const { keepLaunch, launchOf } = await import("./draft.ts");
  const { account, connected } = await import("../wallet/connection.ts");
  const { resumeLaunch, status } = await import("./launch.ts");
  const waiting = launchOf(address) as Launch;
  account.value = address;
  const signing = { ...waiting, form: { ...waiting.form, isSigned: true } };
  keepLaunch(signing);
  let refusal: object = { code: -32_601, message: "The method is not supported." };
  const request = () => Promise.reject(refusal);
  connected.value = { id: "test", name: "Test", provider: { request } };
  const registered: unknown[] = [];
  let isAway = false;
  const domain = { name: "Launchpad Registration", chainId: 56 };
  const types = { Registration: [{ name: "mint", type: "address" }] };
  answer = async (asked) => {
    if (asked.method === "GET")
      return Response.json({ registrationSignature: { domain, types, primaryType: "Registration" } });
    if (isAway) return problem(503, "busy")();
    registered.push(await asked.json());
    return Response.json({ mint: address }, { status: 201 });
  };
  expect(await resumeLaunch(address)).toBeUndefined();
  expect(status.value).toEqual({ kind: "failed", text: expect.stringContaining("not supported") });
  expect(launchOf(address)).toMatchObject({ mint: address, cannotSign: true });
  expect(registered).toEqual([]);
  expect(await resumeLaunch(address, { isUnsigned: true })).toBe(address);
  expect(registered).toEqual([expect.not.objectContaining({ signature: expect.anything() })]);

  // Whoever rejects the signature was told what it is for.
  keepLaunch(signing);
  refusal = { code: 4001 };
  expect(await resumeLaunch(address)).toBe(address);
  expect(registered).toHaveLength(2);

  // A wallet that shows no request for a signature can't sign either.
  keepLaunch(signing);
  const unanswered = Promise.withResolvers<never>();
  connected.value = { id: "test", name: "Test", provider: { request: () => unanswered.promise } };
  const unsigned = resumeLaunch(address);
  await vi.waitUntil(() => status.value.kind === "working" && status.value.stopWaiting !== undefined);
  if (status.value.kind === "working") status.value.stopWaiting?.();
  expect(await unsigned).toBeUndefined();
  expect(launchOf(address)).toMatchObject({ mint: address, cannotSign: true });
  unanswered.reject(refusal);

  // Once the wallet has signed, nothing is offered but to go on, whatever the service says.
  keepLaunch({ ...signing, cannotSign: true });
  connected.value = { id: "test", name: "Test", provider: { request: async () => "0x51" } };
  isAway = true;
  expect(await resumeLaunch(address)).toBeUndefined();
  expect(status.value.kind).toBe("failed");
  expect(launchOf(address)).toMatchObject({ mint: address, cannotSign: false });

  // A locked wallet can't sign either, until it is unlocked.
  account.value = undefined;
  connected.value = { id: "test", name: "Test", provider: { request: () => Promise.reject({ code: 4100 }) } };
  expect(await resumeLaunch(address)).toBeUndefined();
  expect(launchOf(address)).toMatchObject({ mint: address, cannotSign: false });
  connected.value = undefined;
});

test("a launch is gone on with in one tab, and ends in all of them", async () => {
  const { launchOf } = await import("./draft.ts");
  const here = await import("./launch.ts");
  const pending = launchOf(address);
  vi.resetModules();
  // Another tab that was opened meanwhile.
  await (await import("../language/messages.ts")).readTexts(["core", "trading", "create"]);
  const other = { ...(await import("./draft.ts")), ...(await import("./launch.ts")) };
  expect(other.launchOf(address)).toEqual(pending);

  let registrations = 0;
  const registered = Promise.withResolvers<Response>();
  answer = () => {
    registrations++;
    return registered.promise;
  };
  const resumed = here.resumeLaunch(address);
  await vi.waitUntil(() => registrations === 1);
  expect(await other.resumeLaunch(address)).toBeUndefined();
  await other.abandonLaunch(address);
  expect(other.status.value).toEqual({ kind: "failed", text: expect.stringContaining("Another tab") });
  expect(other.launchOf(address)).toEqual(pending);

  registered.resolve(Response.json({ mint: address }, { status: 201 }));
  expect(await resumed).toBe(address);
  expect(registrations).toBe(1);
  window.dispatchEvent(Object.assign(new Event("storage"), { key: "create-launch" }));
  expect(other.launchOf(address)).toBeUndefined();
});

test("a launch whose transaction is lost goes on to look for its token, and one that reverted has ended", async () => {
  vi.useFakeTimers();
  const { keepLaunch, launchOf } = await import("./draft.ts");
  const { account, connected } = await import("../wallet/connection.ts");
  const { findLaunched, resumeLaunch } = await import("./launch.ts");
  account.value = address;
  let receipt: object | null = null;
  const request = async ({ method }: { method: string }) =>
    method === "eth_chainId" ? "0x38" : method === "eth_getTransactionReceipt" ? receipt : null;
  connected.value = { id: "test", name: "Test", provider: { request } };
  const waiting = { ...(launchOf(address) as Launch), mint: undefined, hadTokens: [] };
  keepLaunch(waiting);
  const resumed = resumeLaunch(address);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(await resumed).toBeUndefined();
  expect(launchOf(address)).toEqual({ ...waiting, hash: undefined });
  const token = { mint: address, name: "Brave Frog", symbol: "FROG", burnPercent: 50 };
  answer = () => Response.json({ createdTokens: [token] });
  expect(await findLaunched(address)).toBe(true);

  keepLaunch(waiting);
  receipt = { status: "0x0", transactionHash: "0x1", logs: [] };
  expect(await resumeLaunch(address)).toBeUndefined();
  expect(launchOf(address)).toBeUndefined();
  connected.value = undefined;
  account.value = undefined;
  vi.useRealTimers();
});

test.each([
  ["as it was quoted", {}, true],
  ["whose account could not be checked", { warnings: [{ code: "account_not_checked", message: "" }] }, true],
  ["with a refund below zero, and thus next to no minimum", { refundWei: String(-(10n ** 21n)) }, false],
  [
    "with a salt that is used already",
    { warnings: [{ code: "salt_already_used", message: "Used." }] },
    false,
  ],
  ["for more than there is", { warnings: [{ code: "balance_too_low", message: "2 wei" }] }, false],
])("of first buys, one %s is sent: %j, %s", async (_, changes, isSent) => {
  const { launchOf } = await import("./draft.ts");
  const { account, connected } = await import("../wallet/connection.ts");
  const { startLaunch, status } = await import("./launch.ts");
  const paid = 10n ** 15n;
  const tokenFactory = `0x${"fa".repeat(20)}`;
  const form = { ...(launchOf(address) as Launch).form, firstBuy: "0.001", isVanity: false };
  const { name, symbol, burnPercent } = form;
  const quoted = { amountOutRaw: "1000", refundWei: "0", warnings: [], ...changes };
  // Their bytes agree with the refund.
  const minTokensOut = (1_000n * paid) / (paid - BigInt(quoted.refundWei));
  const data = encodeCreate({ name, symbol, burnPercent, minTokensOut });
  const rpc = { from: address, to: tokenFactory, data, value: `0x${paid.toString(16)}`, chainId: "0x38" };
  answer = ({ url }) =>
    Response.json(
      url.includes("/first-buy/quote")
        ? { ...quoted, transaction: { rpc } }
        : url.includes("/created-tokens")
          ? { createdTokens: [] }
          : { contracts: { launchpad: address, tokenFactory } },
    );
  account.value = address;
  const asked: string[] = [];
  const request = async ({ method }: { method: string }) => {
    asked.push(method);
    if (method === "eth_sendTransaction") throw { code: 4001 };
    return method === "eth_chainId" ? "0x38" : "0x60";
  };
  connected.value = { id: "test", name: "Test", provider: { request } };
  status.value = { kind: "idle" };
  const firstBuy = quoted as unknown as FirstBuyQuote;
  expect(await startLaunch(form, undefined, { chainId: 56, firstBuy })).toBeUndefined();
  expect(asked.includes("eth_sendTransaction")).toBe(isSent);
  expect(status.value).toEqual({ kind: "failed", text: expect.not.stringContaining("wei") });
  connected.value = undefined;
  account.value = undefined;
});

test("a launch that the browser has no room to store isn't forgotten for an older state", async () => {
  const { endLaunch, keepLaunch, launchOf } = await import("./draft.ts");
  const { resumeLaunch } = await import("./launch.ts");
  const pending = launchOf(address) as Launch;
  // Stored by an earlier visit.
  endLaunch(address);
  const stored = localStorage.setItem;
  localStorage.setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
  keepLaunch(pending);
  answer = problem(503, "busy");
  expect(await resumeLaunch(address)).toBeUndefined();
  expect(launchOf(address)).toMatchObject({ mint: address });
  localStorage.setItem = stored;
  answer = () => Response.json({ mint: address }, { status: 201 });
  expect(await resumeLaunch(address)).toBe(address);
});

test("a launch that waits to be gone on with stays while another account launches a token", async () => {
  const { launchOf } = await import("./draft.ts");
  const { account, connected } = await import("../wallet/connection.ts");
  const { startLaunch, status } = await import("./launch.ts");
  const waiting = launchOf(address) as Launch;
  answer = answerCreatorWithoutTokens;
  const other = `0x${"cd".repeat(20)}`;
  let wasBegun = false;
  const request = async ({ method }: { method: string }) => {
    if (method !== "eth_sendTransaction") return method === "eth_chainId" ? "0x38" : "0x60";
    wasBegun = launchOf(other) !== undefined;
    throw { code: 4001 };
  };
  account.value = other;
  connected.value = { id: "test", name: "Test", provider: { request } };
  status.value = { kind: "idle" };
  const form = { ...waiting.form, firstBuy: "", isVanity: false };
  await startLaunch(form, undefined, { chainId: 56, firstBuy: undefined });
  expect(wasBegun).toBe(true);
  expect([launchOf(address), launchOf(other)]).toEqual([waiting, undefined]);
  connected.value = undefined;
  account.value = undefined;

  // Also for the next visit, and if an earlier version of the page has stored it, which knew one launch.
  for (const stored of [[waiting], waiting]) {
    localStorage.setItem("create-launch", JSON.stringify(stored));
    vi.resetModules();
    expect((await import("./draft.ts")).launchOf(address)).toEqual(waiting);
  }
  vi.resetModules();
  await (await import("../language/messages.ts")).readTexts(["core", "trading", "create"]);
});

test("whoever stops waiting for the wallet keeps the launch, which goes on if the wallet sends it later", async () => {
  const { endLaunch, launchOf } = await import("./draft.ts");
  const { account, connected } = await import("../wallet/connection.ts");
  const { startLaunch, status } = await import("./launch.ts");
  const { t } = await import("../language/messages.ts");
  answer = answerCreatorWithoutTokens;
  const sent = Promise.withResolvers<string>();
  const request = async ({ method }: { method: string }) =>
    method === "eth_sendTransaction" ? await sent.promise : method === "eth_chainId" ? "0x38" : "0x60";
  account.value = address;
  connected.value = { id: "test", name: "Test", provider: { request } };
  status.value = { kind: "idle" };
  const form = { ...(launchOf(address) as Launch).form, firstBuy: "", isVanity: false };
  endLaunch(address);
  const launching = startLaunch(form, undefined, { chainId: 56, firstBuy: undefined });
  const stopping = () => (status.value.kind === "working" ? status.value.stopWaiting : undefined);
  await vi.waitUntil(() => stopping() !== undefined);
  stopping()?.();
  expect(await launching).toBeUndefined();
  expect(status.value).toEqual({ kind: "failed", text: t.wallet.stoppedWaiting });
  expect(launchOf(address)).toMatchObject({ hadTokens: [], creator: address });
  expect(launchOf(address)?.hash).toBeUndefined();
  sent.resolve("0x5");
  await vi.waitUntil(() => launchOf(address)?.hash === "0x5");
  // The page goes on by itself with one of which nothing is told.
  expect(status.value).toEqual({ kind: "idle" });
  connected.value = undefined;
  account.value = undefined;
});

test("a launch that was given up, and sent after all, is told of, and leaves the next one as it is", async () => {
  const { endLaunch, launchOf } = await import("./draft.ts");
  const { account, connected } = await import("../wallet/connection.ts");
  const { abandonLaunch, startLaunch, status } = await import("./launch.ts");
  const { t } = await import("../language/messages.ts");
  answer = answerCreatorWithoutTokens;
  const asked: PromiseWithResolvers<string>[] = [];
  const receipt = { status: "0x1", transactionHash: "0x6", logs: [] };
  const request = async ({ method }: { method: string }) => {
    if (method === "eth_getTransactionReceipt") return receipt;
    if (method !== "eth_sendTransaction") return method === "eth_chainId" ? "0x38" : "0x60";
    asked.push(Promise.withResolvers());
    return await asked.at(-1)?.promise;
  };
  account.value = address;
  connected.value = { id: "test", name: "Test", provider: { request } };
  status.value = { kind: "idle" };
  const form = { ...(launchOf(address) as Launch).form, firstBuy: "", isVanity: false };
  endLaunch(address);
  const begin = () => startLaunch(form, undefined, { chainId: 56, firstBuy: undefined });
  const stop = () => (status.value.kind === "working" ? status.value.stopWaiting?.() : undefined);
  const first = begin();
  await vi.waitUntil(() => asked.length === 1);
  stop();
  await first;
  await abandonLaunch(address);
  // The same form again.
  const second = begin();
  await vi.waitUntil(() => asked.length === 2);
  asked[0]?.resolve("0x6");
  await vi.waitUntil(() => status.value.kind === "working" && status.value.stopWaiting !== undefined);
  stop();
  expect(await second).toBeUndefined();
  await vi.waitUntil(() => status.value.kind === "done");
  expect(status.value).toEqual({ kind: "done", text: t.transaction.late("creation"), hash: "0x6" });
  expect(launchOf(address)).toMatchObject({ hadTokens: [] });
  expect(launchOf(address)?.hash).toBeUndefined();
  // Requests left open are told of in whatever is asked next, also in other files' tests.
  asked[1]?.reject({ code: 4001 });
  connected.value = undefined;
  account.value = undefined;
});

test("while the wallet may still confirm an account's launch, no other one is begun in its place", async () => {
  const { keepLaunch, launchOf } = await import("./draft.ts");
  const { account, connected } = await import("../wallet/connection.ts");
  const { startLaunch, status } = await import("./launch.ts");
  const { hash: _, mint: __, ...begun } = launchOf(address) as Launch;
  const unanswered = { ...begun, hadTokens: [] };
  keepLaunch(unanswered);
  const asked: string[] = [];
  answer = ({ url }) => {
    asked.push(url);
    return problem(503, "busy")();
  };
  const request = async ({ method }: { method: string }) => void asked.push(method);
  account.value = address;
  connected.value = { id: "test", name: "Test", provider: { request } };
  status.value = { kind: "idle" };
  const form = { ...begun.form, firstBuy: "", isVanity: false };
  await startLaunch(form, undefined, { chainId: 56, firstBuy: undefined });
  expect([asked, launchOf(address)]).toEqual([[], unanswered]);
  // The page says what it waits for.
  expect(status.value).toEqual({ kind: "idle" });
  connected.value = undefined;
  account.value = undefined;
});

test("the space that a phone puts after a word is no part of a token's name and symbol", async () => {
  const { launchOf } = await import("./draft.ts");
  const { account, connected } = await import("../wallet/connection.ts");
  const { startLaunch, status } = await import("./launch.ts");
  answer = answerCreatorWithoutTokens;
  const asked: string[] = [];
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    if (method !== "eth_sendTransaction") return method === "eth_chainId" ? "0x38" : "0x60";
    asked.push((params as [{ data: string }])[0].data);
    throw { code: 4001 };
  };
  account.value = address;
  connected.value = { id: "test", name: "Test", provider: { request } };
  status.value = { kind: "idle" };
  const { form } = launchOf(address) as Launch;
  const typed = { ...form, name: "Brave Frog ", symbol: " FROG ", firstBuy: "", isVanity: false };
  await startLaunch(typed, undefined, { chainId: 56, firstBuy: undefined });
  const { burnPercent } = form;
  expect(asked).toEqual([encodeCreate({ name: "Brave Frog", symbol: "FROG", burnPercent })]);
  connected.value = undefined;
  account.value = undefined;
});
