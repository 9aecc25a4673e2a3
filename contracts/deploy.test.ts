import { afterEach, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { type Anvil, accounts, startAnvil } from "../test/chain/anvil.ts";
import { deployLaunchpad } from "./deploy.ts";

const [account] = accounts as [(typeof accounts)[number]];

let anvil: Anvil;

afterEach(() => anvil?.stop());

test("deploys DEX and launchpad, and returns the factory's block", async () => {
  anvil = await startAnvil();
  const { tokenFactory, launchpad, dexFactory, router, wbnb, startBlock } = await deployLaunchpad({
    rpcUrl: anvil.rpcUrl,
    account,
  });
  const read = (functionName: "dexFactory" | "router" | "wbnb" | "factory") =>
    anvil.publicClient.readContract({ address: launchpad, abi: launchpadAbi, functionName });
  expect(await read("factory")).toBe(tokenFactory);
  expect([await read("dexFactory"), await read("router"), await read("wbnb")]).toEqual([
    dexFactory,
    router,
    wbnb,
  ]);

  const codeAt = (block: number) =>
    anvil.publicClient.getCode({ address: tokenFactory, blockNumber: BigInt(block) });
  expect(await codeAt(startBlock)).toBeDefined();
  expect(await codeAt(startBlock - 1)).toBeUndefined();
});

test("uses an existing DEX, and can be repeated", async () => {
  anvil = await startAnvil();
  const { rpcUrl } = anvil;
  const { tokenFactory, dexFactory, router, wbnb } = await deployLaunchpad({ rpcUrl, account });
  const dex = { dexFactory, router, wbnb };
  const nonce = await anvil.publicClient.getTransactionCount({ address: account.address });
  const second = await deployLaunchpad({ rpcUrl, account, dex });
  expect(second).toMatchObject(dex);
  expect(second.tokenFactory).not.toBe(tokenFactory);
  expect(await anvil.publicClient.getTransactionCount({ address: account.address })).toBe(nonce + 1);
});

test("sends all transactions without waiting, so that one block can include them all", async () => {
  anvil = await startAnvil({ args: ["--no-mining"] });
  const deploying = deployLaunchpad({ rpcUrl: anvil.rpcUrl, account });
  const pending = async () => Number((await anvil.testClient.getTxpoolStatus()).pending);
  await expect.poll(pending, { timeout: 30_000 }).toBe(4);

  await anvil.testClient.mine({ blocks: 1 });
  expect((await deploying).startBlock).toBe(1);
});

test("works on a chain that mines at intervals", async () => {
  anvil = await startAnvil({ args: ["--block-time", "1"] });
  const { tokenFactory } = await deployLaunchpad({ rpcUrl: anvil.rpcUrl, account });
  expect(await anvil.publicClient.getCode({ address: tokenFactory })).toBeDefined();
});
