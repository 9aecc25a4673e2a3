import type { Address } from "viem";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { until } from "../service/condition.ts";
import { type Service, startService } from "../service/service.ts";

/* Reorgs that replace blocks which are final: Ponder can't take them back. */

let chain: LaunchpadChain;
let token: Address;
let service: Service;

beforeEach(async () => {
  chain = await startLaunchpadChain();
  token = await chain.create(chain.traders[0]);
  await chain.buy(chain.traders[0], token, 10n ** 15n);
  await chain.testClient.mine({ blocks: 40 });
  service = await startService([chain]);
  await service.indexer.untilReady();
});
afterEach(async () => {
  await service?.stop();
  await chain?.stop();
});

/** Removes the blocks after `fork`, of which some were final, and mines more others with events. */
async function replaceBlocks(snapshot: `0x${string}`): Promise<void> {
  await chain.testClient.revert({ id: snapshot });
  await chain.transfer(chain.traders[0], token, chain.traders[2], 21n);
  await chain.testClient.mine({ blocks: 60 });
}

const buys = async (count: number) => {
  for (let made = 0; made < count; made++) await chain.buy(chain.traders[1], token, 10n ** 14n);
};

/** Resolves to the answer of `/ready` once the repair is requested. */
const untilRepairing = () =>
  until("the repair to be requested", async () => {
    const response = await fetch(`${service.indexer.url}/ready`).catch(() => undefined);
    const body = (await response?.json()) as { code?: string; detail: string } | undefined;
    return body?.code === "repairing" && { status: response?.status, ...body };
  });

async function expectNoticed(fork: number): Promise<void> {
  const { status, detail } = await untilRepairing();
  expect(status).toBe(503);
  expect(detail).toMatch(
    /^Chain 56 is indexed again from block \d+ on, into a new schema\. The chain has replaced block \d+, which was final: it was 0x/,
  );
  const [request, ...others] = await service.database.query<{ cause: string; from_block: string }>(
    "select cause, from_block from offchain.repair_request",
  );
  expect(others).toEqual([]);
  expect(request?.cause).toBe("reorg");
  expect(Number(request?.from_block)).toBeLessThanOrEqual(fork + 1);
  expect(service.indexer.output()).toMatch(
    /chain 56: The chain has replaced block .* Nothing more is indexed/,
  );
  // The old rows are still served.
  expect((await fetch(`${service.indexer.url}/api/curve/${token}`)).status).toBe(200);
}

test("a reorg of 40 blocks with events is noticed, and /ready says why", async () => {
  const [fork, snapshot] = [Number(await chain.head()), await chain.testClient.snapshot()];
  await buys(40);
  await service.indexer.untilIndexed(56, await chain.head());
  await replaceBlocks(snapshot);
  await expectNoticed(fork);
  expect(service.indexer.output()).not.toContain("unrecoverable");
});

test("after a restart, so is one without events on the abandoned branch", async () => {
  const [fork, snapshot] = [Number(await chain.head()), await chain.testClient.snapshot()];
  for (let mined = 0; mined < 45; mined++) {
    await chain.testClient.mine({ blocks: 1 });
    await service.indexer.untilIndexed(56, await chain.head());
  }
  await service.indexer.stop();
  await replaceBlocks(snapshot);
  await service.restart();
  await expectNoticed(fork);
});
