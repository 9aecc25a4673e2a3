import { type Address, encodeFunctionData, zeroAddress } from "viem";
import { beforeAll, expect, test } from "vitest";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { TwoMarketsServed } from "./served.ts";

/** What moves tokens beside trades. */
export function testTransfers(served: () => TwoMarketsServed): void {
  let chain: LaunchpadChain;
  let service: Service;
  let rest: RestClient;
  let creator: Address;
  let buyer: Address;
  let friend: Address;
  let token: Address;

  beforeAll(async () => {
    ({ mainnet: chain, service, rest } = served());
    [creator, buyer, friend] = chain.traders;
    token = (await chain.create(creator, "Moved", "MOVED")).toLowerCase() as Address;
    await chain.buy(buyer, token, 10n ** 16n);
    await chain.transfer(buyer, token, friend, 5_000n);
    await chain.transfer(friend, token, buyer, 3_000n);
    await chain.transfer(buyer, token, buyer, 700n);
    await chain.transfer(buyer, token, friend, 0n);
    await chain.transfer(buyer, token, creator, 2_000n);
    await chain.burn(buyer, token, 1_000n);
    await chain.sell(buyer, token, 10n ** 24n);
    await served().untilIndexed(chain);
  });

  const transfers = async (path: string) => {
    const { status, body } = await rest.get(`/api/${path}`);
    expect(status).toBe(200);
    return body;
  };
  const lower = (address: Address) => address.toLowerCase();
  type Row = { from: string; to: string; amountRaw: string };
  const amountsOf = ({ transfers: rows }: { transfers: Row[] }) => rows.map(({ amountRaw }) => amountRaw);

  test("a token's list has what is no trade, newest first", async () => {
    const body = await transfers(`token/${token}/transfers`);
    const { transfers: rows, ...rest } = body;
    expect(rest).toEqual({ mint: token, chainId: 56, nextCursor: null });
    expect(rows).toMatchObject([
      { from: lower(buyer), to: zeroAddress, amountRaw: "1000", mint: token, name: "Moved", symbol: "MOVED" },
      { from: lower(buyer), to: lower(creator), amountRaw: "2000" },
      { from: lower(friend), to: lower(buyer), amountRaw: "3000" },
      { from: lower(buyer), to: lower(friend), amountRaw: "5000" },
    ]);
    const { id, block, logIndex, tx } = rows[0];
    const receipt = await chain.publicClient.getTransactionReceipt({ hash: tx });
    const log = receipt.logs[0];
    expect([block, logIndex, id]).toEqual([
      ...[Number(log?.blockNumber), log?.logIndex],
      `56-${String(block).padStart(12, "0")}-${String(logIndex).padStart(6, "0")}`,
    ]);
  });

  test("filters by account, sender, receiver and time can be combined", async () => {
    const list = async (query: string) => amountsOf(await transfers(`token/${token}/transfers?${query}`));
    expect(await list(`account=${friend}`)).toEqual(["3000", "5000"]);
    expect(await list(`account=${friend}&to=${buyer}`)).toEqual(["3000"]);
    expect(await list(`from=${buyer}`)).toEqual(["1000", "2000", "5000"]);
    expect(await list(`from=${buyer}&to=${friend}`)).toEqual(["5000"]);
    const { transfers: all } = await transfers(`token/${token}/transfers`);
    const seconds = Date.parse(all[2].timestamp) / 1_000;
    const times = all.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp) / 1_000);
    const expected = (wanted: (time: number) => boolean) =>
      amountsOf({ transfers: all.filter((_: Row, index: number) => wanted(times[index])) });
    expect(await list(`after=${seconds}`)).toEqual(expected((time) => time >= seconds));
    expect(await list(`before=${seconds}`)).toEqual(expected((time) => time < seconds));
    expect(await list(`account=${buyer}&after=${all[2].timestamp}`)).toEqual(
      expected((time) => time >= seconds),
    );
  });

  test("an account's list has both directions, of all tokens or of one, page by page", async () => {
    const path = `account/${buyer}/transfers?mint=${token}`;
    const { transfers: all } = await transfers(path);
    expect(amountsOf({ transfers: all })).toEqual(["1000", "2000", "3000", "5000"]);
    const found: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await transfers(`${path}&limit=1${cursor && `&cursor=${cursor}`}`);
      found.push(...page.transfers);
      cursor = page.nextCursor;
    }
    expect(found).toEqual(all);
    const everything = await transfers(`account/${buyer}/transfers?limit=100`);
    expect(everything.transfers.slice(0, 4)).toEqual(all);
    expect(amountsOf(await transfers(`account/${friend}/transfers?mint=${token}&from=${friend}`))).toEqual([
      "3000",
    ]);
    expect((await transfers(`account/0x${"12".repeat(20)}/transfers`)).transfers).toEqual([]);
  });

  test("an unknown token is not found, and wrong parameters are refused", async () => {
    const { status, body } = await rest.get(`/api/token/0x${"12".repeat(20)}/transfers`);
    expect([status, body.code]).toEqual([404, "token_not_found"]);
    const { nextCursor } = (await rest.get("/api/trades?limit=1")).body;
    const wrong = ["account=0x12", "before=yesterday", "limit=101", "after=200&before=100"];
    for (const query of [`cursor=${nextCursor}`, ...wrong]) {
      const refused = await rest.get(`/api/token/${token}/transfers?${query}`);
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, query.split("=")[0]]);
    }
  });

  test("answers are cacheable and name their block, as of every list", async () => {
    const path = `/api/token/${token}/transfers`;
    const url = service.indexer.url + path;
    const first = await fetch(url);
    const etag = first.headers.get("etag");
    expect(first.headers.get("x-index-block")).toMatch(/^56:\d+$/);
    expect((await fetch(url, { headers: { "if-none-match": String(etag) } })).status).toBe(304);
  });

  test("GraphQL lists them by token, by account and by time", async () => {
    const newest = `orderBy: "timestamp", orderDirection: "desc"`;
    const data = await service.indexer.graphql(
      `query ($token: String!, $buyer: String!) {
        token(chainId: 56, address: $token) { transfers(${newest}) { items { amountRaw } } }
        account(chainId: 56, address: $buyer) {
          sentTransfers(where: { token: $token }, ${newest}) { items { amountRaw toAccount { address } } }
          receivedTransfers(where: { token: $token }, ${newest}) { items { amountRaw movedToken { address } } }
        }
        transfers(where: { chainId: 56, token: $token, to: "${zeroAddress}" }, ${newest}) {
          items { from fromAccount { address } }
        }
      }`,
      { token, buyer: lower(buyer) },
    );
    const items = (amounts: string[], more: (index: number) => object) => ({
      items: amounts.map((amountRaw, index) => ({ amountRaw, ...more(index) })),
    });
    const receivers = [null, { address: lower(creator) }, { address: lower(friend) }];
    expect(data).toEqual({
      token: { transfers: items(["1000", "2000", "3000", "5000"], () => ({})) },
      account: {
        sentTransfers: items(["1000", "2000", "5000"], (index) => ({ toAccount: receivers[index] })),
        receivedTransfers: items(["3000"], () => ({ movedToken: { address: token } })),
      },
      transfers: { items: [{ from: lower(buyer), fromAccount: { address: lower(buyer) } }] },
    });
  });

  test("a reorg replaces them", async () => {
    const snapshot = await chain.testClient.snapshot();
    await chain.transfer(buyer, token, friend, 11n);
    await served().untilIndexed(chain);
    expect(amountsOf(await transfers(`token/${token}/transfers?limit=1`))).toEqual(["11"]);
    await chain.testClient.revert({ id: snapshot });
    const data = encodeFunctionData({ abi: launchTokenAbi, functionName: "transfer", args: [creator, 12n] });
    await chain.send(buyer, token, data);
    await chain.testClient.mine({ blocks: 1 });
    await service.expectIndexEqualsChain([chain]);
    expect(amountsOf(await transfers(`token/${token}/transfers?limit=2`))).toEqual(["12", "1000"]);
  });
}
