import type { Address } from "viem";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { EmulatedEndpoint } from "../../chain/emulated-endpoint.ts";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { onlyInLongRun } from "../../run/long-run.ts";
import { until } from "../../service/condition.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { ComparedServed } from "./served.ts";

type SelfCheck = {
  block: number | null;
  checkedAt: string | null;
  samples: number;
  problem: string | null;
  differences: object[];
};

/** The indexer compares a few rows with the contracts, again and again. */
export function testSelfCheck(served: () => ComparedServed): void {
  let chain: LaunchpadChain;
  let endpoint: EmulatedEndpoint;
  let service: Service;
  let rest: RestClient;
  let metricsPort: number;
  let token: Address;
  let graduated: Address;

  beforeAll(() => {
    ({ chain, endpoint, service, rest, metricsPort, onCurve: token, graduated } = served());
  });

  afterEach(() => endpoint.restore());

  // biome-ignore lint/suspicious/noExplicitAny: the assertions say what it is.
  const statusOf = async (url: string) => (await (await fetch(`${url}/status`)).json()) as any;

  async function selfCheck(): Promise<SelfCheck> {
    return (await statusOf(service.indexer.url)).bsc.selfCheck;
  }

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(new RegExp(`^launchpad_${name}\\{chain="56"\\} (\\d+)$`, "m").exec(text)?.[1]);
  }

  /** Mines until the condition holds, since each comparison is at the last final block, and a difference is confirmed at a later one. */
  const whileMining = <Answer>(what: string, ask: () => Promise<Answer | false | undefined>) =>
    until(what, async () => {
      await chain.testClient.mine({ blocks: 5 });
      await service.indexer.untilIndexed(56, await chain.head());
      return await ask();
    });

  test("a sound index has no difference while trading goes on", async () => {
    const [seller, buyer, other] = chain.traders;
    await until("some comparisons", async () => {
      await chain.buyOnDex(buyer, graduated, 10n ** 14n);
      await chain.sellOnDex(seller, graduated, 10n ** 18n);
      await chain.transfer(seller, graduated, other, 1n);
      await chain.buy(buyer, await chain.create(other), 10n ** 15n);
      await chain.testClient.mine({ blocks: 10 });
      await service.indexer.untilIndexed(56, await chain.head());
      return (await metric("compared_total")) > 200;
    });
    const check = await selfCheck();
    expect(check).toMatchObject({ problem: null, differences: [] });
    // How many depends on how much was traded since the comparison before.
    expect(check.samples).toBeGreaterThan(0);
    expect(check.samples).toBeLessThan(70);
    expect(await metric("differences_total")).toBe(0);
    expect(await metric("differences")).toBe(0);
    expect(await metric("compared_timestamp_seconds")).toBeGreaterThan(1_700_000_000);
    expect(service.indexer.output()).not.toContain("in the index, and");
  });

  onlyInLongRun(() => {
    test("a comparison is one request, not one for each value", async () => {
      endpoint.counts.reset();
      const before = await metric("compared_total");
      await whileMining("two comparisons", async () => (await metric("compared_total")) > before + 100);
      const { requests = 0 } = endpoint.counts.byMethod().eth_call ?? {};
      // The service makes a few calls of its own meanwhile.
      expect(requests).toBeLessThan(((await metric("compared_total")) - before) / 10);
    });
  });

  test("an endpoint without the state of final blocks is noted, and the index goes on", async () => {
    endpoint.set({ states: 5 });
    const { problem } = await whileMining("the fault to be noted", async () => {
      const check = await selfCheck();
      return check.problem?.includes("lacks the state") && check;
    });
    expect(problem).toMatch(/^the endpoint: it lacks the state of block \d+ \(missing trie node/);
    await chain.buy(chain.traders[1], token, 10n ** 15n);
    await service.indexer.untilIndexed(56, await chain.head());
    expect(await metric("differences_total")).toBe(0);
    expect(service.indexer.output()).not.toContain("in the index, and");
    endpoint.restore();
    await whileMining("the next comparison", async () => (await selfCheck()).problem === null);
  });

  onlyInLongRun(() => {
    test("a process that only serves compares nothing", async () => {
      const replica = await service.startReplica();
      const status = await statusOf(replica.url);
      await replica.stop();
      expect(status.bsc).toHaveProperty("block");
      expect(status.bsc).not.toHaveProperty("selfCheck");
    });
  });

  // The last test, since it leaves a false index.
  test("a false row is found, confirmed at a later block, and named until it is right again, and a repair is requested once", async () => {
    const [, buyer] = chain.traders;
    const account = buyer.toLowerCase();
    const mint = token.toLowerCase();
    const onChain = String(await chain.balanceOf(token, buyer));
    const falsify = (balance: string) =>
      service.database.falsify(
        "update onchain.holder set balance_raw = $3 where token = $1 and account = $2",
        [mint, account, balance],
      );
    const [{ createdBlock } = { createdBlock: 0 }] = await service.database.query<{ createdBlock: number }>(
      'select created_block::int as "createdBlock" from onchain.token where address = $1',
      [mint],
    );
    await falsify("7");
    const isBalance = (difference: object) => "what" in difference && difference.what === "balance";
    const check = await whileMining("the difference", async () => {
      const found = await selfCheck();
      return found.differences.some(isBalance) && found;
    });
    const compared = await metric("compared_total");
    const difference = {
      token: mint,
      account,
      what: "balance",
      ours: "7",
      onChain,
      block: expect.any(Number),
    };
    expect(check.differences).toContainEqual(difference);
    expect((await rest.get("/api/health")).body.index.chains[0].selfCheck.differences).toContainEqual(
      difference,
    );
    expect(await metric("differences_total")).toBeGreaterThan(0);
    expect(await metric("differences")).toBeGreaterThan(0);
    await whileMining("two more comparisons", async () => (await metric("compared_total")) > compared + 200);
    expect(
      await service.database.query("select token, cause, from_block::int from offchain.repair_request"),
    ).toEqual([{ token: mint, cause: "difference", from_block: createdBlock }]);
    const line = `index: chain 56: token ${mint}: balance of ${account} is 7 in the index, and ${onChain} on the chain`;
    expect(service.indexer.output().split(line)).toHaveLength(2);

    await falsify(onChain);
    await whileMining("the end of the differences", async () => (await selfCheck()).differences.length === 0);
    expect(await metric("differences")).toBe(0);
    expect(service.indexer.output().split(line)).toHaveLength(2);
  });
}
