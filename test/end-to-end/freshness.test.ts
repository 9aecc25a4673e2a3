import pg from "pg";
import type { Address } from "viem";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { onlyInLongRun } from "../run/long-run.ts";
import { until } from "../service/condition.ts";
import type { Indexer } from "../service/indexer.ts";
import { connectMcp } from "../service/mcp-client.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type Service, startService } from "../service/service.ts";

/* How fresh answers are, how they report it, and how a client reads its own writes. */

let chain: LaunchpadChain;
let service: Service;
let rest: RestClient;
let mint: Address;

/** The clock of the service's machine is an hour slow. */
const slowClock = `--import=data:text/javascript,${encodeURIComponent("const { now } = Date; Date.now = () => now() - 3_600_000;")}`;

/** The service says when it loads the MCP SDK. */
const noteSdk = `--import=data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from "node:module";
   registerHooks({ load(url, context, load) {
     if (url.includes("@modelcontextprotocol/server/")) console.log("loads", url);
     return load(url, context);
   } });`,
)}`;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  mint = await chain.create(chain.traders[0]);
  service = await startService([chain], {
    env: { READY_MAX_LAG_SECONDS: "3", NODE_OPTIONS: `${slowClock} ${noteSdk}` },
  });
  await service.indexer.untilReady();
  // A first live block, since Ponder may still be recording the end of the backfill until it arrives.
  await chain.testClient.mine({ blocks: 1 });
  await service.indexer.untilIndexed(56, await chain.head());
  rest = await createRestClient(service.indexer.url);
});

afterAll(async () => {
  chain?.thaw();
  await service?.stop();
  await chain?.stop();
});

const head = async () => Number(await chain.head());
const ready = async ({ url }: { url: string } = service.indexer) => {
  const response = await fetch(`${url}/ready`);
  // biome-ignore lint/suspicious/noExplicitAny: the assertions say what it is.
  return { status: response.status, body: (await response.json()) as any };
};
const indexHealth = async (client = rest) => (await client.get("/api/health")).body.index;

/** Endpoints that take minBlock, for a token that `trader` has bought. */
const readPaths = (trader: Address) => [
  `/api/curve/${mint}?`,
  `/api/curves?mints=${mint}&`,
  `/api/curve/${mint}/quote?side=buy&amount=1000000&`,
  `/api/metadata/${mint}?`,
  `/api/token/${mint}?`,
  `/api/token/${mint}/holders?`,
  `/api/token/${mint}/trades?`,
  `/api/token/${mint}/candles?interval=1m&`,
  `/api/trades?`,
  `/api/tokens?`,
  `/api/stats?`,
  ...["", "/holdings", "/positions", "/created-tokens"].map((list) => `/api/account/${trader}${list}?`),
];

test("an index at the head of a chain that was quiet for hours has no lag", async () => {
  const { timestamp } = await chain.publicClient.getBlock();
  await chain.testClient.setNextBlockTimestamp({ timestamp: timestamp + 7_200n });
  await chain.testClient.mine({ blocks: 1 });
  const block = await head();
  const seen = await until("the new head to be known", async () => {
    const index = await indexHealth();
    expect(index.chains[0].lagSeconds).toBeLessThan(7_000);
    return index.chains[0].headBlock === block && index.chains[0].lagBlocks === 0 && index;
  });
  const at = { chainId: 56, block, headBlock: block, lagBlocks: 0, lagSeconds: 0, endpointsAnswer: true };
  expect(seen).toEqual({ writer: "live", chains: [at] });
  expect((await rest.get("/api/health")).body.stale).toBe(false);
  expect(await ready()).toEqual({ status: 200, body: { ready: true, writer: "live", chains: [at] } });
});

test("a service that is ready has loaded what the first MCP request needs", async () => {
  const loads = () => service.indexer.output().match(/loads .*modelcontextprotocol.*/g) ?? [];
  const before = loads();
  expect(before).not.toEqual([]);
  const mcp = await connectMcp(service.indexer.url);
  expect(await mcp.use("get_stats")).toMatchObject({ chainId: 56 });
  await mcp.close();
  expect(loads()).toEqual(before);
});

test("with minBlock a client reads its own writes, and every answer names the block it reflects", async () => {
  const trader = chain.traders[1];
  for (const path of readPaths(trader)) {
    await chain.buy(trader, mint, 10n ** 12n);
    const block = await head();
    const { status, headers, body } = await rest.get(`${path}minBlock=${block}`);
    expect([path, status, headers.get("x-index-block")]).toEqual([path, 200, `56:${block}`]);
    if (body.block !== undefined) expect(body.block).toBe(block);
    if (Array.isArray(body.trades)) expect(body.trades[0].block).toBe(block);
    expect(headers.get("access-control-expose-headers")).toContain("X-Index-Block");
  }
});

test("a token's price and what its buys cost are of one moment", async () => {
  const token = await chain.create(chain.traders[0]);
  await chain.buy(chain.traders[1], token, 10n ** 16n);
  await service.indexer.untilIndexed(56, await chain.head());
  const read = async () => {
    const { priceBnb, buyImpacts } = (await rest.get(`/api/token/${token}`)).body;
    return { priceBnb, buyImpacts };
  };
  const before = await read();
  // What reads pairs waits, while the curve changes.
  const client = new pg.Client(service.database.adminUrl);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin; lock table onchain.dex_pair in access exclusive mode");
  const meanwhile = read();
  const waiting = `select from pg_locks join pg_database on pg_database.oid = database and datname = current_database()
    where relation = 'onchain.dex_pair'::regclass and not granted`;
  await until("a read that waits", async () => (await service.database.query(waiting)).length > 0);
  await service.database.falsify(
    `update onchain.curve set price_bnb_x36 = price_bnb_x36 * 6 / 5, virtual_bnb_reserves = virtual_bnb_reserves * 6 / 5
     where token = $1`,
    [token.toLowerCase()],
  );
  await client.query("rollback");
  const after = await read();
  expect(after.priceBnb).not.toEqual(before.priceBnb);
  expect(after.buyImpacts).not.toEqual(before.buyImpacts);
  expect([before, after]).toContainEqual(await meanwhile);
});

test("endpoints on final blocks and on all chains take minBlock too", async () => {
  await chain.testClient.mine({ blocks: 64 });
  const wbnb = await until("the token to be final", async () => {
    // The index learns what is final with the next block.
    await chain.testClient.mine({ blocks: 1 });
    return (await rest.get("/api/coingecko/tickers")).body[0]?.target_currency as string | undefined;
  });
  await service.indexer.untilIndexed(56, await chain.head());
  const ticker = `ticker_id=${mint}_${wbnb}&`;
  const paths = [
    "/api/dexscreener/latest-block?",
    `/api/dexscreener/asset?id=${mint}&`,
    `/api/dexscreener/pair?id=${mint}&`,
    "/api/dexscreener/events?fromBlock=0&toBlock=0&",
    ...["/api", "/api/coingecko"].flatMap((base) => [
      `${base}/tickers?`,
      `${base}/historical_trades?${ticker}`,
      `${base}/historical_trades?limit=0&${ticker}`,
    ]),
    "/api/tokenlist.json?t=1&",
  ];
  for (const path of paths) {
    const block = (await head()) + 1;
    const asking = rest.get(`${path}minBlock=${block}`);
    await chain.buy(chain.traders[1], mint, 10n ** 12n);
    const { status, headers } = await asking;
    // No token is registered.
    const expected = path.startsWith("/api/tokenlist") ? 404 : 200;
    expect([path, status, headers.get("x-index-block")]).toEqual([path, expected, `56:${block}`]);
    const { body } = await rest.get(`${path}minBlock=0x10`);
    expect([path, body.errors?.[0]?.path]).toEqual([path, "minBlock"]);
  }
  const { parameters, responses } = rest.document.paths["/api/tokenlist.json"]?.get ?? {};
  expect(parameters?.map(({ name }) => name)).toEqual(["chainId", "minBlock"]);
  expect(responses?.[200]).toHaveProperty(["headers", "X-Index-Block"]);
});

test("what is cached names its block in asOf, and not the last indexed one", async () => {
  for (const path of ["/api/leaderboard", "/api/stats/days"]) {
    const { headers, body } = await rest.get(path);
    expect(body.asOf.block).toEqual(expect.any(Number));
    expect([path, headers.get("x-index-block")]).toEqual([path, null]);
    expect((await rest.get(`${path}?minBlock=1`)).status).toBe(400);
    const { responses } = rest.document.paths[path]?.get ?? {};
    expect(responses?.[200]).not.toHaveProperty(["headers", "X-Index-Block"]);
  }
});

// Runs concurrently with the next test, since both wait for the full timeout.
test.concurrent("waiting for a block that does not come ends with a clear error", async () => {
  const tooFar = await rest.get(`/api/curve/${mint}?minBlock=${(await head()) + 1_000}`);
  expect([tooFar.status, tooFar.body.code, tooFar.headers.get("retry-after")]).toEqual([
    503,
    "block_not_indexed",
    "1",
  ]);
  for (const wrong of ["-1", "0x10", "99999999999", ""]) {
    const { status, body } = await rest.get(`/api/curve/${mint}?minBlock=${wrong}`);
    expect([wrong, status, body.errors?.[0]?.path]).toEqual([wrong, 400, "minBlock"]);
  }
});

test.concurrent("GraphQL takes minBlock and chainId in its URL, and names its block", async () => {
  const ask = async (search: string, query = '{ trades(orderBy: "timestamp") { totalCount } }') => {
    const response = await fetch(`${service.indexer.url}/graphql${search}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    const { status, headers } = response;
    // biome-ignore lint/suspicious/noExplicitAny: the assertions say what it is.
    return { status, headers, body: (await response.json()) as any };
  };
  const before = (await ask(`?minBlock=${await head()}`)).body.data.trades.totalCount;
  for (const [bought, search] of ["?minBlock=", "?chainId=56&minBlock="].entries()) {
    await chain.buy(chain.traders[1], mint, 10n ** 12n);
    const block = await head();
    const { headers, body } = await ask(`${search}${block}`);
    expect(body.data.trades.totalCount).toBe(before + bought + 1);
    expect(headers.get("x-index-block")).toBe(`56:${block}`);
    expect(headers.get("access-control-expose-headers")).toContain("X-Index-Block");
  }
  const refused = await ask("", "{ nothing");
  expect([refused.status, refused.headers.get("x-index-block")]).toEqual([200, `56:${await head()}`]);

  const tooFar = await ask(`?minBlock=${(await head()) + 1_000}`);
  expect([tooFar.status, tooFar.body.code, tooFar.headers.get("retry-after")]).toEqual([
    503,
    "block_not_indexed",
    "1",
  ]);
  for (const [search, status, wrong] of [
    ["?minBlock=-1", 400, "minBlock"],
    ["?minBlock=1&minBlock=2", 400, "minBlock"],
    ["?minBlock=1&chainId=1", 400, "chainId"],
    ["?minBlock=1&other=1", 400, "other"],
    ["?minBlock=1&chainId=97", 404, undefined],
  ] as const) {
    const answer = await ask(search);
    expect([search, answer.status, answer.body.errors?.[0]?.path]).toEqual([search, status, wrong]);
  }
});

test("a 304 and an error name the block too, and the OpenAPI document declares the header", async () => {
  const block = await head();
  const { headers } = await rest.get(`/api/curve/${mint}`);
  const again = await rest.get(`/api/curve/${mint}`, { "if-none-match": headers.get("etag") ?? "" });
  expect([again.status, again.headers.get("x-index-block")]).toEqual([304, `56:${block}`]);
  const unknown = await rest.get(`/api/curve/0x${"1".repeat(40)}`);
  expect([unknown.status, unknown.headers.get("x-index-block")]).toEqual([404, `56:${block}`]);
  const answer = rest.document.paths["/api/token/{mint}"]?.get?.responses[200];
  expect(answer).toHaveProperty(["headers", "X-Index-Block"]);
});

test("requests that wait for a block don't delay others, and are answered when it arrives", async () => {
  const block = (await head()) + 1;
  let answeredCount = 0;
  const waiting = Array.from({ length: 40 }, async () => {
    const answer = await rest.get(`/api/curve/${mint}?minBlock=${block}`);
    answeredCount++;
    return answer;
  });
  // More waiting requests than concurrency slots or connections: others are still answered.
  for (let count = 0; count < 3; count++) {
    expect((await rest.get(`/api/curve/${mint}`)).status).toBe(200);
  }
  expect(answeredCount).toBe(0);
  await chain.buy(chain.traders[1], mint, 10n ** 12n);
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("when no RPC endpoint answers, the index stops being ready, and the service stays up", async () => {
  const block = await head();
  await chain.freeze();
  const { body } = await until("the index to be behind", async () => {
    const answer = await ready();
    return answer.status === 503 && answer;
  });
  expect(body).toMatchObject({
    code: "index_behind",
    detail: expect.stringMatching(
      /chain 56 is \d+ seconds .* behind its head, and its RPC endpoints don't answer/,
    ),
    chains: [{ chainId: 56, block, endpointsAnswer: false }],
  });
  expect(body.chains[0].lagSeconds).toBeGreaterThan(3);
  const health = await rest.get("/api/health");
  expect(health).toMatchObject({ status: 200, body: { ok: true, status: "up", stale: true } });
  expect((await rest.get(`/api/curve/${mint}`)).headers.get("x-index-block")).toBe(`56:${block}`);

  chain.thaw();
  await until("the service to be ready again", async () => (await ready()).status === 200);
});

onlyInLongRun(() => {
  test("a replica reports that the writer is gone, and is no longer ready once the chain moves ahead", async () => {
    const replica: Indexer = await service.startReplica();
    try {
      const client = await createRestClient(replica.url);
      const block = await head();
      await service.indexer.kill();
      expect((await ready(replica)).status).toBe(200);
      await chain.testClient.mine({ blocks: 7, interval: 10 });
      const behind = await until("the replica to be behind", async () => {
        const answer = await ready(replica);
        // The blocks are mined one after the other.
        return answer.status === 503 && answer.body.chains[0].lagBlocks >= 7 && answer.body;
      });
      expect(behind).toMatchObject({
        code: "index_behind",
        chains: [{ block, headBlock: block + 7, lagBlocks: 7 }],
      });
      // Seven blocks, ten seconds apart: sixty seconds from the first to the last.
      expect(behind.chains[0].lagSeconds).toBeGreaterThanOrEqual(60);
      await until("the writer to be gone", async () => (await indexHealth(client)).writer === "gone", 90_000);
      expect((await ready(replica)).body.detail).toContain("No process indexes into this schema");
      expect((await client.get("/api/health")).status).toBe(200);
    } finally {
      await replica.stop();
    }
  });
});
