import { beforeAll, expect, test } from "vitest";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { boards, expectedList, sorts } from "../../reference-market/expected-list.ts";
import { onlyInLongRun } from "../../run/long-run.ts";
import { connectMcp } from "../../service/mcp-client.ts";
import { registrationOf } from "../../service/registration.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { TwoMarketsServed } from "./served.ts";

type GraphqlPage = { items: object[]; pageInfo: { endCursor: string; hasNextPage: boolean } };

export function testTwoChains(served: () => TwoMarketsServed): void {
  let mainnet: LaunchpadChain;
  let testnet: LaunchpadChain;
  let service: Service;
  let rest: RestClient;

  beforeAll(() => {
    ({ mainnet, testnet, service, rest } = served());
  });

  test("56 and 97 side by side: each index equals its chain", async () => {
    expect(mainnet.deployment.tokenFactory).toBe(testnet.deployment.tokenFactory);
    await service.expectIndexEqualsChain();
    const chains = await service.database.query(
      "select chain_id, count(*)::int > 10 as many from onchain.trade group by 1 order by 1",
    );
    expect(chains).toEqual([
      { chain_id: 56, many: true },
      { chain_id: 97, many: true },
    ]);
  });

  test("the same address on two chains means two tokens", async () => {
    const { tokens } = await service.indexer.graphql<{ tokens: { items: object[] } }>(
      `{ tokens(where: { symbol: "TWIN" }, orderBy: "chainId") {
         items { chainId name curve { graduated } }
       } }`,
    );
    expect(tokens.items).toEqual([
      { chainId: 56, name: "Twin on 56", curve: { graduated: false } },
      { chainId: 97, name: "Twin on 97", curve: { graduated: true } },
    ]);
  });

  test("an event has one id in REST and GraphQL, which none of the other chain has, and by which lists and look-ups find it", async () => {
    const rows = await service.database.query<{ chain_id: number; id: string }>(
      "select chain_id, id from onchain.trade order by chain_id, id",
    );
    const ids = rows.map(({ chain_id, id }) => `${chain_id}-${id}`);
    const [shared] = [...Map.groupBy(rows, ({ id }) => id).values()].filter(({ length }) => length === 2);
    const at = shared?.[0]?.id ?? "";
    expect(at, "a trade in the same place of both chains").not.toBe("");
    const [first, second] = [`56-${at}`, `97-${at}`];

    for (const chainId of [56, 97]) {
      const { trades } = (await rest.get(`/api/trades?limit=100&chainId=${chainId}`)).body;
      const expected = ids.filter((id) => id.startsWith(`${chainId}-`)).slice(-100);
      expect(trades.map(({ id }: { id: string }) => id)).toEqual(expected.reverse());
    }

    type Trade = { id: string; chainId: number };
    const tradesOf = async (args: string) => {
      const query = `{ trades(${args}) { items { id chainId } totalCount } }`;
      const { trades } = await service.indexer.graphql<{ trades: { items: Trade[]; totalCount: number } }>(
        query,
      );
      for (const { id, chainId } of trades.items) expect(id).toMatch(new RegExp(`^${chainId}-`));
      return { ids: trades.items.map(({ id }) => id), count: trades.totalCount };
    };
    expect((await tradesOf('orderBy: "id", limit: 1000')).ids).toEqual(ids);
    expect((await tradesOf('orderBy: "id", orderDirection: "desc", limit: 3')).ids).toEqual(
      ids.slice(-3).reverse(),
    );
    expect((await tradesOf(`where: { id: "${second}" }`)).ids).toEqual([second]);
    expect((await tradesOf(`where: { id_in: ["${second}", "${first}"] }`)).ids).toEqual([first, second]);
    expect((await tradesOf(`where: { OR: [{ id: "${second}" }, { id: "${first}" }] }`)).count).toBe(2);
    // Without the chain, an id is that of both.
    expect((await tradesOf(`where: { id: "${at}" }`)).ids).toEqual([first, second]);
    expect((await tradesOf(`where: { id_not_in: ["${second}"] }, limit: 1`)).count).toBe(ids.length - 1);
    expect((await tradesOf('where: { id_starts_with: "97-" }, limit: 1')).count).toBe(
      ids.filter((id) => id.startsWith("97-")).length,
    );

    for (const id of [second, at]) {
      const { trade, other } = await service.indexer.graphql<Record<string, Trade | null>>(
        `{ trade(chainId: 97, id: "${id}") { id chainId } other: trade(chainId: 97, id: "97-999999999999-000001") { id } }`,
      );
      expect([trade, other]).toEqual([{ id: second, chainId: 97 }, null]);
    }
    const { curves } = await service.indexer.graphql<{
      curves: {
        items: { lastTradeId: string | null; graduatedId: string | null; lastTrade: Trade | null }[];
      };
    }>("{ curves(limit: 1000) { items { lastTradeId graduatedId lastTrade { id chainId } } } }");
    expect(curves.items.filter(({ lastTradeId }) => lastTradeId !== null).length).toBeGreaterThan(2);
    for (const { lastTradeId, graduatedId, lastTrade } of curves.items) {
      expect(lastTrade?.id ?? null).toBe(lastTradeId);
      expect(graduatedId ?? "56-000000000001-000001").toMatch(/^(56|97)-\d{12}-\d{6}$/);
    }
    const graduated = curves.items.find(({ graduatedId }) => graduatedId !== null)?.graduatedId;
    const { curves: found } = await service.indexer.graphql<{ curves: { items: object[] } }>(
      `{ curves(where: { graduatedId: "${graduated}" }) { items { graduatedId } } }`,
    );
    expect(found.items).toEqual([{ graduatedId: graduated }]);
  });

  test("pages over both chains have each row once, in either direction", async () => {
    const lists = [
      ["curves", "curve", "lastTradeId", "chainId token"],
      ["curves", "curve", "lastTradeAt", "chainId token"],
      ["positions", "position", "lastTradeAt", "chainId token account"],
      ["trades", "trade", "timestamp", "chainId id"],
    ] as const;
    for (const [list, table, orderBy, key] of lists) {
      const [{ count } = {}] = await service.database.query(`select count(*)::int from onchain.${table}`);
      for (const direction of ["asc", "desc"]) {
        const rows: string[] = [];
        for (let after: string | null = null; ; ) {
          const place: string = after === null ? "" : `, after: "${after}"`;
          const answer = await service.indexer.graphql<Record<string, GraphqlPage>>(
            `{ ${list}(orderBy: "${orderBy}", orderDirection: "${direction}", limit: 7${place}) {
                 items { ${key} } pageInfo { endCursor hasNextPage }
               } }`,
          );
          const page = answer[list];
          rows.push(...(page?.items ?? []).map((row) => Object.values(row).join(" ")));
          if (!page?.pageInfo.hasNextPage) break;
          after = page.pageInfo.endCursor;
        }
        expect([list, orderBy, direction, rows.length]).toEqual([list, orderBy, direction, count]);
        expect(new Set(rows).size).toBe(count);
        expect(new Set(rows.map((row) => row.slice(0, 2)))).toEqual(new Set(["56", "97"]));
      }
    }
  });

  test("the search of TradingView's charts has tokens of both chains, whatever its limit", async () => {
    for (const chainId of [56, 97]) {
      const [{ address, creator, name, symbol, burn_percent: burnPercent } = {}] =
        await service.database.query(
          `select * from onchain.token where symbol = 'TWIN' and chain_id = ${chainId}`,
        );
      const token = registrationOf(address, creator, { name, symbol, burnPercent, chainId });
      expect((await rest.post("/api/tokens", token)).status).toBe(201);
    }
    const { body } = await rest.get("/api/udf/search?query=twin&limit=2");
    // Neither has a BNB/USD feed, and so no chart in USD.
    expect(body.map(({ description, symbol }: Record<string, string>) => [description, symbol])).toEqual([
      ["Twin on 56", "TWIN/BNB"],
      ["Twin on 97", "TWIN/BNB"],
    ]);
    const all = (await rest.get("/api/udf/search?limit=30")).body;
    expect(all.slice(0, 2).map(({ exchange }: Record<string, string>) => exchange)).toEqual(["56", "97"]);
    expect(all.filter(({ symbol }: Record<string, string>) => symbol?.endsWith("/USD"))).toEqual([]);
  });

  test("MCP has the contracts and the tokens of either chain as resources", async () => {
    const { client, close } = await connectMcp(service.indexer.url);
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return JSON.parse(content !== undefined && "text" in content ? content.text : "null");
    };
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(["launchpad://guide", "launchpad://contracts", "launchpad://97/contracts"]);
    for (const chainId of [56, 97]) {
      const contracts = chainId === 56 ? "launchpad://contracts" : "launchpad://97/contracts";
      expect((await read(contracts)).chainId).toBe(chainId);
      const [{ address } = {}] = await service.database.query<{ address: string }>(
        `select address from onchain.token where symbol = 'TWIN' and chain_id = ${chainId}`,
      );
      const token = await read(`launchpad://${chainId}/token/${address}`);
      expect([token.chainId, token.untrusted.name]).toEqual([chainId, `Twin on ${chainId}`]);
      const byDefault = read(`launchpad://token/${address}`);
      if (chainId === 56) expect(await byDefault).toEqual(token);
      else await expect(byDefault).rejects.toThrow(/^token_not_found: .* on chain 56/);
    }
    const wrong = `launchpad://1/token/0x${"1".repeat(40)}`;
    await expect(read(wrong)).rejects.toThrow(
      "invalid_request: chainId must be 56 (mainnet) or 97 (testnet)",
    );
    await close();
  });

  test("a reorg on one chain leaves the other alone", async () => {
    const snapshot = await testnet.testClient.snapshot();
    for (const chain of [mainnet, testnet]) await chain.create(chain.traders[0], "Once more", "MORE");
    await served().untilIndexed();
    await testnet.testClient.revert({ id: snapshot });
    await testnet.testClient.mine({ blocks: 3 });
    await service.expectIndexEqualsChain();
    const rows = await service.database.query("select chain_id from onchain.token where symbol = 'MORE'");
    expect(rows).toEqual([{ chain_id: 56 }]);
  });

  onlyInLongRun(() => {
    test("the activity windows end at each chain's last block, and time passing on one leaves the other alone", async () => {
      const tokens = await service.database.query(
        `select * from onchain.token
         where (chain_id, address) not in (select chain_id, mint from offchain.registration)
         order by chain_id, address`,
      );
      for (const { chain_id: chainId, address, creator, name, symbol, burn_percent: burnPercent } of tokens) {
        const token = registrationOf(address, creator, { name, symbol, burnPercent, chainId });
        expect((await rest.post("/api/tokens", token)).status).toBe(201);
      }
      for (const hours of [0, 1, 5, 18]) {
        const { timestamp } = await testnet.publicClient.getBlock();
        await testnet.testClient.setNextBlockTimestamp({ timestamp: timestamp + BigInt(3_600 * hours + 1) });
        await testnet.testClient.mine({ blocks: 1 });
        await service.indexer.untilAtHead(97, () => testnet.publicClient.getBlock());
        // Whatever time had changed on mainnet would still show at the end.
        for (const { chainId, publicClient } of hours === 18 ? [mainnet, testnet] : [testnet]) {
          const now = Number((await publicClient.getBlock()).timestamp);
          for (const view of boards.flatMap((board) => sorts.map((sort) => ({ board, sort })))) {
            const expected = await expectedList(service.database, view, { chainId, now });
            const search = new URLSearchParams({ ...view, chainId: String(chainId), limit: "100" });
            await expect
              .poll(async () => ({ hours, chainId, view, mints: await rest.mints(String(search)) }))
              .toEqual({ hours, chainId, view, mints: expected.map(({ mint }) => mint) });
          }
        }
      }
      await service.expectIndexEqualsChain();
    });
  });
}
