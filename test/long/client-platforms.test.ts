import type { Hex } from "viem";
import { beforeAll, expect, test } from "vitest";
import { runInBrowser, runInBun, runInNode } from "../client-tour/run-in.ts";
import { startTcpGate } from "../doubles/tcp-gate.ts";
import { createRestClient } from "../service/rest-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* The typed client in the runtimes it is made for, against a running service. */

let shared: SharedService;
let mint: Hex;

beforeAll(async () => {
  shared = await sharedService();
  const { chain } = shared;
  mint = (await chain.create(chain.traders[0], "Platform Otter", "PLATFORM")).toLowerCase() as Hex;
});

test.each([
  ["Node", runInNode, /^Node/],
  ["Bun", runInBun, /^Bun/],
  ["a browser, from another origin", runInBrowser, /Chrome/],
])("lists, quotes, errors and a resumed stream work in %s", async (_, run, runtime) => {
  const { chain, service } = shared;
  const account = chain.traders[1];
  const buy = async () => (await chain.buy(account, mint, 10n ** 14n)).transactionHash;
  for (let count = 0; count < 3; count++) await buy();
  await service.indexer.untilIndexed(56, await chain.head());
  const rest = await createRestClient(service.indexer.url);
  const { trades } = (await rest.get(`/api/trades?mint=${mint}`)).body;
  const asked = await rest.get(
    `/api/curve/${mint}/quote?side=buy&amount=${10n ** 15n}&account=${account.toLowerCase()}`,
  );
  const { minAmountOutRaw, transaction } = asked.body;

  const { hostname, port } = new URL(service.indexer.url);
  const gate = await startTcpGate(hostname, Number(port));
  const connected = Promise.withResolvers<void>();
  const baseUrl = `http://127.0.0.1:${gate.port}`;
  const touring = run({ baseUrl, mint, account }, connected.resolve);
  try {
    await Promise.race([connected.promise, touring]);
    const first = await buy();
    gate.close();
    const others = [await buy(), await buy()];
    gate.open();
    const { to, value, gas, chainId } = transaction;
    expect(await touring).toEqual({
      runtime: expect.stringMatching(runtime),
      trades: trades.map(({ id }: { id: string }) => id),
      minAmountOut: minAmountOutRaw,
      calls: [{ to, data: expect.stringMatching(/^0x/), value, gas: String(gas), chainId }],
      error: "token_not_found",
      streamed: [first, ...others],
    });
  } finally {
    await gate.stop();
  }
});
