import type { Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deployLaunchpad, type LaunchpadDeployment } from "../../../contracts/deploy.ts";
import { type Anvil, startAnvil } from "../../../test/chain/anvil.ts";
import { type RpcGate, startRpcGate } from "../../../test/doubles/rpc-gate.ts";
import { chainSettings } from "../../../test/service/chain-settings.ts";
import { createChainClients } from "./chain-client.ts";
import { createDexTermsReader } from "./dex-terms.ts";

let anvil: Anvil;
let gate: RpcGate;
let deployment: LaunchpadDeployment;

beforeAll(async () => {
  anvil = await startAnvil();
  const [account] = anvil.accounts;
  if (account === undefined) throw new Error("anvil has no accounts");
  deployment = await deployLaunchpad({ rpcUrl: anvil.rpcUrl, account });
  gate = await startRpcGate(anvil.rpcUrl);
});

afterAll(async () => {
  await gate?.stop();
  await anvil?.stop();
});

const chainWith = (launchpad: Address) =>
  chainSettings({ rpcUrls: [gate.url], tokenFactory: deployment.tokenFactory, launchpad });

test("a chain that can't be reached is asked again, but never after it has answered", async () => {
  const readDexTerms = createDexTermsReader(createChainClients());
  const chain = chainWith(deployment.launchpad);
  gate.close();
  await expect(readDexTerms(chain)).rejects.toMatchObject({
    problem: { status: 503, code: "chain_unavailable" },
  });
  gate.open();
  const terms = {
    router: deployment.router.toLowerCase(),
    wbnb: deployment.wbnb.toLowerCase(),
    fee: 3_000n,
  };
  expect(await readDexTerms(chain)).toEqual(terms);
  gate.close();
  expect(await readDexTerms(chain)).toEqual(terms);
  expect(gate.refused()).toBe(0);
  gate.open();
});

test.each([
  ["a contract without router()", () => deployment.tokenFactory],
  ["an address without a contract", () => `0x${"ab".repeat(20)}` as const],
])("%s has no DEX", async (_, launchpad) => {
  expect(await createDexTermsReader(createChainClients())(chainWith(launchpad()))).toBeNull();
});
