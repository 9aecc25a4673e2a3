import { createTestClient, createWalletClient, http, parseEther, publicActions } from "viem";
import { bsc } from "viem/chains";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChainSettings } from "../../../config/env.ts";
import { type Anvil, startAnvil } from "../../../test/chain/anvil.ts";
import { startHttpServer } from "../../../test/doubles/http-server.ts";
import { bestEffortLimits } from "./chain-client.ts";
import { createNativeBalanceReader } from "./native-balance.ts";

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});

afterAll(() => anvil?.stop());

const chainAt = (url: string): ChainSettings => ({
  id: 56,
  rpcUrls: [url],
  sync: "built-in",
  webSocketUrls: [],
  pollingInterval: 1_000,
  priceFeeds: [],
  tokenFactory: `0x${"1".repeat(40)}`,
  launchpad: `0x${"2".repeat(40)}`,
  startBlock: 0,
});

test("a balance is the one at the given block, also if the endpoint first has to catch up with it", async () => {
  const node = createTestClient({ mode: "anvil", transport: http(anvil.rpcUrl) }).extend(publicActions);
  const [account] = anvil.accounts;
  if (account === undefined) throw new Error("anvil has no accounts");
  const wallet = createWalletClient({ account, chain: bsc, transport: http(anvil.rpcUrl) });
  const before = Number(await node.getBlockNumber());
  const rich = await node.getBalance({ address: account.address });
  let requests = 0;
  const endpoint = await startHttpServer(async ({ body }) => {
    requests++;
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: body.toString() };
    const answer = await (await fetch(anvil.rpcUrl, init)).text();
    // From its second request on, the endpoint has the next block.
    if (requests === 1) {
      const hash = await wallet.sendTransaction({ to: `0x${"3".repeat(40)}`, value: parseEther("1") });
      await node.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    }
    return { status: 200, body: answer, headers: { "content-type": "application/json" } };
  });
  // A busy machine may take longer than anybody should wait.
  const read = createNativeBalanceReader({ ...bestEffortLimits, endpointMs: 60_000, totalMs: 60_000 });
  const chain = chainAt(endpoint.url);
  const after = await read(chain, account.address, before + 1);
  expect(requests).toBe(2);
  expect(after).toBeLessThan(rich - parseEther("1"));
  expect(await read(chain, account.address, before)).toBe(rich);
  await endpoint.close();
});
