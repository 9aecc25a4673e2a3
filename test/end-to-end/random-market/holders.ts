import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { expectedMarket } from "../../reference-market/expected-market.ts";
import { sized } from "../../run/long-run.ts";
import { createRestClient, type RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";

const day = 86_400;

/** Past balances of tokens that were traded over days, before and after reorgs, compared with `balanceOf`. */
export function testHolders(served: () => { chain: LaunchpadChain; service: Service }): void {
  let chain: LaunchpadChain;
  let service: Service;
  let rest: RestClient;
  /** The tokens whose balances changed most often: some on the DEX, some still on the curve. */
  let tokens: { token: Address; created: bigint; graduated: bigint | null }[];

  beforeAll(async () => {
    ({ chain, service } = served());
    rest = await createRestClient(service.indexer.url);
    const rows = await service.database.query<{ token: Address; created: string; graduated: string | null }>(
      `select * from (
         select t.address as token, t.created_block as created, left(c.graduated_id, 12)::int8 as graduated,
           row_number() over (partition by c.graduated order by c.buys_to_date + c.sells_to_date desc, t.address) as rank
         from onchain.token t join onchain.curve c on c.token = t.address
       ) busy where rank <= 2`,
    );
    tokens = rows.map(({ token, created, graduated }) => ({
      token,
      created: BigInt(created),
      graduated: graduated === null ? null : BigInt(graduated),
    }));
    tokens.push(await makeHeldForDays());
    expect(tokens.filter(({ graduated }) => graduated !== null).length).toBeGreaterThan(0);
    expect(tokens.filter(({ graduated }) => graduated === null).length).toBeGreaterThan(0);
  });

  /** Creates a token of which an account holds some, then none, and then some again, all on different days. */
  async function makeHeldForDays() {
    const [creator, buyer, friend] = chain.traders;
    await chain.testClient.setAutomine(true);
    const token = (await chain.create(creator)).toLowerCase() as Address;
    const created = await chain.head();
    const passDay = async () => {
      await chain.testClient.increaseTime({ seconds: day });
      await chain.testClient.mine({ blocks: 1 });
    };
    await chain.buy(buyer, token, 10n ** 15n);
    for (const [from, to, amount] of [
      [buyer, friend, 1_000n],
      [friend, buyer, 1_000n],
      [buyer, friend, 500n],
      [friend, creator, 200n],
      [creator, buyer, 200n],
    ] as const) {
      await passDay();
      await chain.transfer(from, token, to, amount);
      await chain.buy(buyer, token, 10n ** 14n);
    }
    await service.indexer.untilIndexed(chain.chainId, await chain.head());
    return { token, created, graduated: null };
  }

  /** Everyone who ever held the token with a balance at the block, by `balanceOf`, the largest first. */
  async function balancesOnChain(token: Address, blockNumber: bigint) {
    const accounts = await service.database.query<{ account: Address }>(
      "select account from onchain.holder where token = $1",
      [token],
    );
    const balances = await Promise.all(
      accounts.map(async ({ account }) => ({
        address: account,
        balanceRaw: await chain.publicClient.readContract({
          address: token,
          abi: launchTokenAbi,
          functionName: "balanceOf",
          args: [account],
          blockNumber,
        }),
      })),
    );
    return balances
      .filter(({ balanceRaw }) => balanceRaw > 0n)
      .sort((left, right) =>
        left.balanceRaw === right.balanceRaw
          ? right.address.localeCompare(left.address)
          : left.balanceRaw < right.balanceRaw
            ? 1
            : -1,
      )
      .map(({ address, balanceRaw }) => [address, String(balanceRaw)]);
  }

  const cellsOf = (csv: string) =>
    csv
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","));

  async function holdersInCsv(token: Address, query: string) {
    const { status, headers, text } = await rest.get(`/api/token/${token}/holders${query}`, {
      accept: "text/csv",
    });
    expect([status, headers.get("content-type"), headers.get("vary")]).toEqual([
      ...[200, "text/csv; charset=utf-8"],
      expect.stringMatching(/Accept/i),
    ]);
    const [header, ...rows] = cellsOf(text);
    expect(header).toEqual(["address", "balance_raw", "percent", "label"]);
    return rows;
  }

  const quarters = sized({ usual: "2, count / 2", long: "2, count / 4, count / 2, count * 3 / 4, count" });

  /** Blocks around everything that happened to a token: its creation, its graduation, the ends of days, and several others. */
  async function blocksOf({ token, created, graduated }: (typeof tokens)[number]): Promise<bigint[]> {
    const moved = await service.database.query<{ block: string }>(
      `select block from (
         select block, row_number() over (order by block) as number, count(*) over () as count from (
           select block from onchain.trade where token = $1 union select block from onchain.transfer where token = $1
         ) moved
       ) numbered where count < 20 or number in (${quarters})`,
      [token],
    );
    const around = moved.flatMap(({ block }) => [BigInt(block) - 1n, BigInt(block)]);
    const ofGraduation = graduated === null ? [] : [graduated - 1n, graduated];
    const blocks = [created - 1n, created, ...around, ...ofGraduation, await chain.head()];
    return [...new Set(blocks)].filter((block) => block >= created - 1n);
  }

  test("holders at a block have the balances that balanceOf returned", async () => {
    let past = 0;
    for (const of of tokens) {
      const { token, created, graduated } = of;
      for (const block of await blocksOf(of)) {
        const expected = block < created ? [] : await balancesOnChain(token, block);
        const rows = await holdersInCsv(token, `?at=${block}`);
        const what = `${token} at ${block}`;
        expect(
          rows.map((cells) => cells.slice(0, 2)),
          what,
        ).toEqual(expected);
        const labels = rows.map(([, , , label]) => label);
        expect(labels.includes("pair"), what).toBe(graduated !== null && block >= graduated);

        const { body } = await rest.get(`/api/token/${token}/holders?limit=100&at=${block}`);
        expect(
          body.holders.map((row: { address: string; balanceRaw: string }) => [row.address, row.balanceRaw]),
          what,
        ).toEqual(expected.slice(0, 100));
        const supply =
          block < created
            ? 0n
            : await chain.publicClient.readContract({
                address: token,
                abi: launchTokenAbi,
                functionName: "totalSupply",
                blockNumber: block,
              });
        expect(body.totalSupplyRaw, what).toBe(String(supply));
        if (block < created) expect(body.asOf).toBe(null);
        else expect(BigInt(body.asOf.block) <= block && BigInt(body.asOf.block) >= created, what).toBe(true);
        past++;
      }
    }
    expect(past).toBeGreaterThan(20);
  });

  test("a time means the last block at or before it, and the answer names a block with those balances", async () => {
    for (const of of tokens.slice(0, 2)) {
      const blocks = await blocksOf(of);
      for (const block of blocks.filter((block) => block >= of.created).slice(1, 5)) {
        const { timestamp } = await chain.publicClient.getBlock({ blockNumber: block });
        const next = await chain.publicClient.getBlock({ blockNumber: block + 1n }).catch(() => undefined);
        const time = new Date(1_000 * Number(timestamp)).toISOString();
        const { body } = await rest.get(`/api/token/${of.token}/holders?limit=100&at=${time}`);
        const last = next?.timestamp === timestamp ? undefined : block;
        if (last !== undefined) {
          const sameByBlock = await rest.get(`/api/token/${of.token}/holders?limit=100&at=${last}`);
          expect(body).toEqual(sameByBlock.body);
        }
        const { timestamp: named } = await chain.publicClient.getBlock({
          blockNumber: BigInt(body.asOf.block),
        });
        expect(body.asOf.time).toBe(new Date(1_000 * Number(named)).toISOString());
        const expected = await balancesOnChain(of.token, BigInt(body.asOf.block));
        expect(
          body.holders.map((row: { address: string; balanceRaw: string }) => [row.address, row.balanceRaw]),
        ).toEqual(expected.slice(0, 100));
      }
    }
  });

  test("without a block, CSV has the current holders", async () => {
    for (const { token } of tokens) {
      const { body } = await rest.get(`/api/token/${token}/holders?limit=100`);
      const rows = await holdersInCsv(token, "");
      expect(rows.slice(0, 100)).toEqual(
        body.holders.map((row: Record<string, unknown>) => [
          ...[row.address, row.balanceRaw, String(row.percent), row.label ?? ""],
        ]),
      );
      expect(rows.map((cells) => cells.slice(0, 2))).toEqual(
        await balancesOnChain(token, await chain.head()),
      );
    }
  });

  test("the history has each day's holders and their concentration at its end", async () => {
    const { holdings, market, head } = await expectedMarket(chain);
    const today = Number(head.timestamp) / day;
    let changed = 0;
    for (const { token } of tokens) {
      const { status, body } = await rest.get(`/api/token/${token}/holders/history?days=365`);
      expect(status).toBe(200);
      const graduatedAt = market.curves.get(token)?.graduation?.timestamp;
      const all = holdings.holders.filter((holder) => holder.token === token);
      const first = Math.min(...all.flatMap(({ byDay }) => [...byDay.keys()]));
      const days = Array.from({ length: Math.floor(today) - first + 1 }, (_, index) => first + index);
      const expected = days.map((number) => {
        const isAccount = (kind: string) =>
          kind === "account" || (kind === "pair" && !(Number(graduatedAt) < (number + 1) * day));
        const balances = all
          .filter(({ kind }) => isAccount(kind))
          .map(({ byDay }) => [...byDay].findLast(([changedOn]) => changedOn <= number)?.[1] ?? 0n)
          .filter((balance) => balance > 0n)
          .sort((left, right) => (left < right ? 1 : -1));
        const sum = (amounts: bigint[]) => amounts.reduce((left, right) => left + right, 0n);
        const circulating = sum(balances);
        const ratio = (part: bigint, total: bigint) =>
          total === 0n ? null : Number((part * 10_000n) / total) / 10_000;
        return {
          day: new Date(1_000 * day * number).toISOString().slice(0, 10),
          holders: balances.length,
          top10Percent: ratio(100n * sum(balances.slice(0, 10)), circulating),
          effectiveHolders: ratio(
            circulating * circulating,
            sum(balances.map((balance) => balance * balance)),
          ),
        };
      });
      expect(body.days).toEqual(expected);
      changed += new Set(expected.map(({ day: _, ...values }) => JSON.stringify(values))).size - 1;

      const { body: now } = await rest.get(`/api/token/${token}/holders`);
      expect(body.days.at(-1)).toMatchObject({
        holders: now.holderCount,
        top10Percent: now.risk.top10Percent,
        effectiveHolders: now.risk.effectiveHolders,
      });
      const { body: last } = await rest.get(`/api/token/${token}/holders/history?days=2`);
      expect(last.days).toEqual(expected.slice(-2));
    }
    expect(changed).toBeGreaterThan(3);
  });
}
