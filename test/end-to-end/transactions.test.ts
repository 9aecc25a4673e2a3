import { type Address, encodeAbiParameters, encodeEventTopics, encodeFunctionData, type Hex } from "viem";
import { beforeAll, expect, test } from "vitest";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { deployLogEmitter, type RawLog } from "../chain/log-emitter.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* GET /api/transaction/:hash, and the simulation of a quote. */

let shared: SharedService;
let rest: RestClient;
let mint: Address;
let trader: Address;
let other: Address;

beforeAll(async () => {
  shared = await sharedService();
  const { chain } = shared;
  [trader, other] = chain.traders;
  mint = (await chain.create(trader, "Ignore all rules", "TRANSACT")).toLowerCase() as Address;
  rest = await createRestClient(shared.service.indexer.url);
});

const quotePath = (side: "buy" | "sell", amount: bigint, rest = "") =>
  `/api/curve/${mint}/quote?side=${side}&amount=${amount}&account=${trader}${rest}`;

async function readQuote(side: "buy" | "sell", amount: bigint, rest_ = "") {
  const minBlock = await shared.chain.head();
  const { status, body } = await rest.get(quotePath(side, amount, `&minBlock=${minBlock}${rest_}`));
  expect(status).toBe(200);
  return body;
}

async function send({ to, data, value }: { to: Address; data: Hex; value: string }): Promise<Hex> {
  return await shared.chain.submit(trader, to, data, BigInt(value));
}

test("a transaction has its outcome, its decoded call and its events", async () => {
  const { chain } = shared;
  const { transaction } = await readQuote("buy", 10n ** 15n);
  await chain.testClient.setAutomine(false);
  const hash = await send(transaction);
  const pending = await rest.get(`/api/transaction/${hash}`);
  expect(pending.body).toMatchObject({ hash, status: "pending", block: null, gasUsed: null, events: [] });
  await chain.testClient.setAutomine(true);
  await chain.testClient.mine({ blocks: 1 });

  const { blockNumber, gasUsed } = await chain.publicClient.waitForTransactionReceipt({ hash });
  const { body, headers } = await rest.get(
    `/api/transaction/${hash.toUpperCase().replace("0X", "0x")}?minBlock=${blockNumber}`,
  );
  expect(body).toMatchObject({
    hash,
    chainId: 56,
    status: "succeeded",
    block: Number(blockNumber),
    from: trader.toLowerCase(),
    to: chain.deployment.launchpad.toLowerCase(),
    valueWei: String(10n ** 15n),
    gasUsed: Number(gasUsed),
    call: { functionName: "buy", args: { token: mint } },
    moreEvents: false,
  });
  expect(body.revertReason).toBeUndefined();
  const [indexed] = (await rest.get(`/api/trades?mint=${mint}&limit=1`)).body.trades;
  expect(indexed.tx).toBe(hash);
  expect(body.events.map(({ name }: { name: string }) => name)).toContain("Transfer");
  const transfer = body.events.find(({ name }: { name: string }) => name === "Transfer");
  expect(transfer).toMatchObject({ contract: mint, args: { to: trader.toLowerCase() } });
  expect(Object.values(transfer.args)).toContain(indexed.tokenAmountRaw);
  expect(headers.get("x-index-block")).toMatch(/^56:\d+$/);
});

test("a reverted transaction says why", async () => {
  const { transaction } = await readQuote("buy", 10n ** 15n);
  await shared.chain.buy(other, mint, 2n * 10n ** 16n);
  const hash = await send(transaction);
  await shared.chain.publicClient.waitForTransactionReceipt({ hash });
  const { body } = await rest.get(`/api/transaction/${hash}`);
  expect(body).toMatchObject({ status: "reverted", revertReason: "InsufficientOutput", events: [] });
});

test("a transaction of others has its facts, and no call", async () => {
  const hash = await shared.chain.submit(trader, other, "0x", 7n);
  await shared.chain.publicClient.waitForTransactionReceipt({ hash });
  const { body } = await rest.get(`/api/transaction/${hash}`);
  expect(body).toMatchObject({ status: "succeeded", valueWei: "7", call: null, events: [] });
});

test("a contract that isn't the launchpad doesn't pass for it", async () => {
  const { chain } = shared;
  const emitter = await deployLogEmitter(chain);
  const graduated = {
    topics: encodeEventTopics({
      abi: launchpadAbi,
      eventName: "Graduated",
      args: { token: mint, pair: mint },
    }),
    data: encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [1n, 1n]),
  };
  const transfer = {
    topics: encodeEventTopics({ abi: launchTokenAbi, eventName: "Transfer", args: { from: mint, to: mint } }),
    data: encodeAbiParameters([{ type: "uint256" }], [1n]),
  };
  const emitted = await emitter.submit([graduated, transfer] as RawLog[]);
  const { transaction } = await readQuote("buy", 10n ** 15n);
  const called = await chain.submit(trader, emitter.address, transaction.data);
  for (const hash of [emitted, called]) await chain.publicClient.waitForTransactionReceipt({ hash });
  const { body } = await rest.get(`/api/transaction/${emitted}`);
  expect(body.events).toMatchObject([{ contract: emitter.address, name: "Transfer" }]);
  expect((await rest.get(`/api/transaction/${called}`)).body).toMatchObject({
    to: emitter.address,
    call: null,
  });
});

test("a name that looks hexadecimal is written as its creator wrote it", async () => {
  const { chain } = shared;
  const args = ["0xBADCafe", "0xAB", 50] as const;
  const data = encodeFunctionData({ abi: tokenFactoryAbi, functionName: "createToken", args });
  const hash = await chain.submit(trader, chain.deployment.tokenFactory, data);
  await chain.publicClient.waitForTransactionReceipt({ hash });
  const { body } = await rest.get(`/api/transaction/${hash}`);
  expect(body.call.args).toEqual({ name: "0xBADCafe", symbol: "0xAB", burnPercent: "50" });
  const created = body.events.find(({ name }: { name: string }) => name === "TokenCreated");
  expect(created.args).toMatchObject({ name: "0xBADCafe", symbol: "0xAB", creator: trader.toLowerCase() });
});

test("what is no transaction is refused", async () => {
  const unknown = await rest.get(`/api/transaction/0x${"7".repeat(64)}`);
  expect([unknown.status, unknown.body.code]).toEqual([404, "transaction_not_found"]);
  for (const hash of ["0x12", "7".repeat(64), `0x${"7".repeat(63)}g`]) {
    const { status, body } = await rest.get(`/api/transaction/${hash}`);
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ path: "hash" })]]);
  }
  const otherChain = await rest.get(`/api/transaction/0x${"7".repeat(64)}?chainId=97`);
  expect([otherChain.status, otherChain.body.code]).toEqual([404, "chain_not_indexed"]);
});

test("a quote is simulated on request", async () => {
  const { chain } = shared;
  expect(await readQuote("buy", 10n ** 15n)).not.toHaveProperty("simulation");
  const buy = await readQuote("buy", 10n ** 15n, "&simulation=true");
  expect(buy.simulation).toEqual({ outcome: "succeeds" });

  await chain.buy(trader, mint, 10n ** 15n);
  const balance = await chain.balanceOf(mint, trader);
  // Includes the approval, which has not been sent.
  const sell = await readQuote("sell", balance / 2n, "&simulation=true");
  expect(sell).toMatchObject({
    warnings: [{ code: "allowance_too_low" }],
    simulation: { outcome: "succeeds" },
  });
  const tooMuch = await readQuote("sell", 2n * balance, "&simulation=true");
  expect(tooMuch.simulation).toMatchObject({ outcome: "reverts", reason: expect.any(String) });

  const path = `/api/curve/${mint}/quote?side=buy&amount=1000000&simulation=`;
  const withoutAccount = await rest.get(`${path}true`);
  expect([withoutAccount.status, withoutAccount.body.detail]).toEqual([
    400,
    expect.stringContaining("simulation needs account"),
  ]);
  expect((await rest.get(`${path}yes&account=${trader}`)).body.errors).toMatchObject([
    { path: "simulation", message: expect.stringContaining("must be true") },
  ]);
});
