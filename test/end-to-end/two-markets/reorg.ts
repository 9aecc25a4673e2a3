import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { graduatingAmount, type LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { onlyInLongRun } from "../../run/long-run.ts";
import { readEveryTable } from "../../service/database.ts";
import type { Service } from "../../service/service.ts";
import type { TwoMarketsServed } from "./served.ts";

export function testReorgs(served: () => TwoMarketsServed): void {
  let chain: LaunchpadChain;
  let service: Service;

  beforeAll(() => {
    ({ mainnet: chain, service } = served());
  });

  /** Runs `lost` and waits until it is indexed, then reverts the chain to before it and runs `instead`. */
  async function reorg(lost: () => Promise<unknown>, instead: () => Promise<unknown>): Promise<void> {
    const snapshot = await chain.testClient.snapshot();
    await lost();
    await served().untilIndexed(chain);
    await chain.testClient.revert({ id: snapshot });
    await instead();
    await service.expectIndexEqualsChain([chain]);
  }

  const tokenCount = async () => (await service.database.query("select 1 from onchain.token")).length;

  onlyInLongRun(() => {
    test("a reorg that drops a trade removes it from the index", async () => {
      const [creator, buyer, other] = chain.traders;
      const token = await chain.create(creator);
      await reorg(
        () => chain.buy(buyer, token, 10n ** 16n),
        () => chain.buy(other, token, 2n * 10n ** 16n),
      );
      const trades = await service.database.query("select trader from onchain.trade where token = $1", [
        token.toLowerCase(),
      ]);
      expect(trades).toEqual([{ trader: other.toLowerCase() }]);
    });
  });

  test("a reorg changes the balances of the blocks that it replaces", async () => {
    const [creator, buyer, other] = chain.traders;
    const token = await chain.create(creator);
    const holdersAt = async (block: bigint) => {
      const { body } = await served().rest.get(`/api/token/${token}/holders?at=${block}`);
      return body.holders
        .filter(({ label }: { label: string | null }) => label === null)
        .map((holder: { address: string; balanceRaw: string }) => [holder.address, holder.balanceRaw]);
    };
    const balance = async (account: Address) => [
      account.toLowerCase(),
      String(await chain.balanceOf(token, account)),
    ];
    let block = 0n;
    await reorg(
      async () => {
        await chain.buy(buyer, token, 10n ** 16n);
        block = await chain.head();
        await served().untilIndexed(chain);
        expect(await holdersAt(block)).toEqual([await balance(buyer)]);
        await chain.buy(buyer, token, 10n ** 16n);
      },
      async () => {
        await chain.buy(other, token, 10n ** 15n);
        await chain.burn(other, token, 1n);
      },
    );
    expect(await holdersAt(block - 1n)).toEqual([]);
    const now = await balance(other);
    expect(await holdersAt(block)).toEqual([[now[0], String(BigInt(now[1] as string) + 1n)]]);
    expect(await holdersAt(await chain.head())).toEqual([now]);
  });

  test("a reorg that drops a creation removes the token and its trades", async () => {
    const [creator, buyer] = chain.traders;
    const before = await tokenCount();
    await reorg(
      async () => {
        const token = await chain.create(creator, "Lost", "LOST");
        await chain.buy(buyer, token, 10n ** 16n);
      },
      () => chain.testClient.mine({ blocks: 3 }),
    );
    expect(await tokenCount()).toBe(before);
  });

  test("a reorg that puts another token at the same address replaces the first", async () => {
    const [creator, buyer] = chain.traders;
    let addresses: unknown[] = [];
    await reorg(
      async () => {
        addresses = [await chain.create(creator, "Again", "AGAIN", 30)];
      },
      async () => {
        const token = await chain.create(creator, "Again", "AGAIN", 70);
        addresses.push(token);
        await chain.buy(buyer, token, 10n ** 16n);
      },
    );
    expect(addresses[0]).toBe(addresses[1]);
    const [token] = await service.database.query(
      "select burn_percent from onchain.token where address = $1",
      [String(addresses[1]).toLowerCase()],
    );
    expect(token).toEqual({ burn_percent: 70 });
  });

  test("a reorg that drops a graduation removes the DEX trades after it", async () => {
    const [creator, buyer, other] = chain.traders;
    const token = await chain.create(creator);
    await chain.buy(buyer, token, graduatingAmount / 2n);
    await reorg(
      async () => {
        await chain.buy(other, token, graduatingAmount);
        await chain.buyOnDex(buyer, token, 10n ** 16n);
        await chain.sellOnDex(buyer, token, (await chain.balanceOf(token, buyer)) / 2n);
      },
      async () => {
        await chain.sell(buyer, token, (await chain.balanceOf(token, buyer)) / 2n);
        await chain.buy(other, token, 10n ** 15n);
      },
    );
    const [curve] = await service.database.query(
      "select graduated, graduated_at, pair from onchain.curve where token = $1",
      [token.toLowerCase()],
    );
    expect(curve).toEqual({ graduated: false, graduated_at: null, pair: null });

    await chain.buy(other, token, graduatingAmount);
    await chain.buyOnDex(other, token, 10n ** 15n);
    await service.expectIndexEqualsChain([chain]);
  });

  onlyInLongRun(() => {
    test("after a deep reorg made by the node itself the index equals the chain", async () => {
      const [creator, buyer] = chain.traders;
      const token = await chain.create(creator);
      for (let index = 0; index < 8; index++) await chain.buy(buyer, token, 10n ** 15n);
      await served().untilIndexed(chain);
      await chain.testClient.request({ method: "anvil_reorg", params: [6, []] } as never);
      await chain.testClient.mine({ blocks: 2 });
      await service.expectIndexEqualsChain([chain]);
      const trades = await service.database.query("select 1 from onchain.trade where token = $1", [
        token.toLowerCase(),
      ]);
      expect(trades).toHaveLength(2);
    });
  });

  test("a reorg and a reader who has read every table don't wait for each other", async () => {
    const [creator, buyer] = chain.traders;
    const token = await chain.create(creator);
    const snapshot = await chain.testClient.snapshot();
    await chain.buy(buyer, token, 10n ** 15n);
    await served().untilIndexed(chain);
    const [wbnb, other] = [chain.deployment.wbnb, served().pools.first];
    const values = {
      mint: token,
      mints: token,
      address: creator,
      hash: `0x${"7".repeat(64)}`,
      cid: "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy",
      "/api/udf/symbols symbol": token,
      "/api/udf/history symbol": token,
      "/api/events timeout": "0",
      resolution: "60",
      to: "9999999999",
      side: "buy",
      amount: "1000000",
      burnPercent: "50",
      fromBlock: "1",
      toBlock: "60",
      ticker_id: `${other.token}_${wbnb}`.toLowerCase(),
      sql: JSON.stringify({ json: { sql: "select count(*) from onchain.trade", params: [] } }),
    };
    const stopReading = await readEveryTable(service.database);
    try {
      await chain.testClient.revert({ id: snapshot });
      await chain.testClient.mine({ blocks: 2 });
      const [statuses] = await Promise.all([
        served().rest.getEveryRoute({ ...values, id: other.pair }),
        service.expectIndexEqualsChain([chain]),
      ]);
      // Each is asked for something that it reads, so that it gets that far.
      // 409: the reorg has just removed the last of the requested blocks.
      const failed = Object.entries(statuses).filter(([, status]) => ![200, 404, 409].includes(status));
      expect(failed, "routes that failed, or whose parameters have no value above").toEqual([]);
    } finally {
      await stopReading();
    }
    const took = service.indexer
      .output()
      .match(/Reorged block .*/g)
      ?.at(-1);
    // It takes a fraction of a second, and on a busy machine a few; a reader that is waited for would hold it up for ever.
    expect(took, "less than ten seconds").toMatch(/\((\d+ms|\ds)\)$/);
  });
}
