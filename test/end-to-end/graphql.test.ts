import { readFileSync } from "node:fs";
import type { Address } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { graphqlLimits } from "../../src/api/graphql/limits.ts";
import { fundedAccount } from "../chain/funded-account.ts";
import { graduatingAmount } from "../chain/launchpad-chain.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

let chain: SharedService["chain"];
let service: SharedService["service"];
/** Accounts that no other test uses, since all that they hold and did is compared. */
let traders: [Address, Address, Address];
let token: string;
let creator: string;
let buyer: string;

beforeAll(async () => {
  ({ chain, service } = await sharedService());
  const newTrader = async () => (await fundedAccount(chain)).address;
  traders = [await newTrader(), await newTrader(), await newTrader()];
  [creator, buyer] = traders.map((address) => address.toLowerCase()) as [string, string];
  // Another test file may have created a token this second, and of two created in the same second neither is the newest.
  await chain.testClient.increaseTime({ seconds: 1 });
  const address = await chain.create(traders[0], "Brave Otter", "OTTER", 40);
  token = address.toLowerCase();
  await chain.buy(traders[0], address, 10n ** 16n);
  await chain.buy(traders[1], address, 2n * 10n ** 16n);
  await chain.testClient.increaseTime({ seconds: 1 });
  await chain.create(traders[1], "Second", "TWO");
  await service.indexer.untilIndexed(56, await chain.head());
});

const post = (body: unknown, headers: Record<string, string> = { "content-type": "application/json" }) =>
  fetch(`${service.indexer.url}/graphql`, {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const messageOf = async (response: Response) =>
  ((await response.json()) as { errors?: { message: string }[] }).errors?.[0]?.message;

test("one query walks from a token to its curve, latest trades and top holders", async () => {
  const { tokens } = await service.indexer.graphql<{ tokens: { items: unknown[] } }>(`{
    tokens(orderBy: "createdAt", orderDirection: "desc", where: { chainId: 56 }, limit: 2) {
      items {
        name creator holderCount
        curve { progress graduated lastTrade { side trader } }
        trades(orderBy: "timestamp", orderDirection: "desc", limit: 3) { items { side trader } }
        holders(where: { kind: account }, orderBy: "balanceRaw", orderDirection: "desc", limit: 3) { items { account } }
        creatorAccount { createdTokens { totalCount } }
      }
    }
  }`);
  expect(tokens.items).toEqual([
    {
      name: "Second",
      creator: buyer,
      holderCount: 0,
      creatorAccount: { createdTokens: { totalCount: 1 } },
      curve: { progress: 0, graduated: false, lastTrade: null },
      trades: { items: [] },
      holders: { items: [] },
    },
    {
      name: "Brave Otter",
      creator,
      holderCount: 2,
      creatorAccount: { createdTokens: { totalCount: 1 } },
      curve: {
        progress: expect.closeTo(69.2307, 4),
        graduated: false,
        lastTrade: { side: "buy", trader: buyer },
      },
      trades: {
        items: [
          { side: "buy", trader: buyer },
          { side: "buy", trader: creator },
        ],
      },
      holders: { items: [{ account: buyer }, { account: creator }] },
    },
  ]);
});

test("one query walks from an account to its holdings, trades and tokens", async () => {
  const { account } = await service.indexer.graphql<{ account: unknown }>(
    `query ($address: String!) {
      account(chainId: 56, address: $address) {
        holdings { items { heldToken { name } balanceRaw } }
        trades { items { tradedToken { symbol } bnbAmountWei venue } }
        createdTokens { items { name } }
      }
    }`,
    // The address is checksummed, as wallets show it.
    { address: traders[1] },
  );
  const balance = await chain.balanceOf(token as `0x${string}`, traders[1]);
  expect(account).toEqual({
    holdings: { items: [{ heldToken: { name: "Brave Otter" }, balanceRaw: String(balance) }] },
    trades: {
      items: [{ tradedToken: { symbol: "OTTER" }, bnbAmountWei: "20000000000000000", venue: "curve" }],
    },
    createdTokens: { items: [{ name: "Second" }] },
  });
});

test("listings join registrations with on-chain data, and contain only registered tokens", async () => {
  await service.database.query(
    `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent, description, image_url)
     values (56, $1, 'Brave Otter', 'OTTER', $2, 40, 'The bravest of otters.', 'ipfs://otter')`,
    [token, creator],
  );
  const { listings } = await service.indexer.graphql<{ listings: unknown }>(
    `{ listings(where: { creator: "${creator}" }) { totalCount items { address name burnPercent progress priceBnbX36 description imageUrl verified } } }`,
  );
  const [curve] = await service.database.query("select price_bnb_x36 from onchain.curve where token = $1", [
    token,
  ]);
  expect(listings).toEqual({
    totalCount: 1,
    items: [
      {
        address: token,
        name: "Brave Otter",
        burnPercent: 40,
        progress: expect.closeTo(69.2307, 4),
        priceBnbX36: curve?.price_bnb_x36,
        verified: false,
        description: "The bravest of otters.",
        imageUrl: "ipfs://otter",
      },
    ],
  });
});

test("prices form one continuous series across graduation", async () => {
  const address = token as `0x${string}`;
  const price = async () => {
    const [row] = await service.database.query(
      "select price_bnb_x36, pair from onchain.curve where token = $1",
      [token],
    );
    return Number(row?.price_bnb_x36);
  };
  await chain.buy(traders[2], address, graduatingAmount);
  await service.indexer.untilIndexed(56, await chain.head());
  const atGraduation = await price();
  await chain.buyOnDex(traders[2], address, 10n ** 12n);
  await service.indexer.untilIndexed(56, await chain.head());
  expect((await price()) / atGraduation).toBeGreaterThan(1);
  expect((await price()) / atGraduation).toBeLessThan(1.0001);
});

describe("limits", () => {
  test("docs/graphql.md states the actual limits", () => {
    const page = readFileSync("docs/graphql.md", "utf8");
    for (const limit of Object.values(graphqlLimits)) {
      expect(page).toMatch(new RegExp(`\\b${limit.toLocaleString("en-US")}\\b`));
    }
  });

  test("a query that asks for too many rows is refused before it runs", async () => {
    const response = await post({
      query: "{ tokens(limit: 1000) { items { trades(limit: 1000) { items { id } } } } }",
    });
    expect(response.status).toBe(200);
    expect(await messageOf(response)).toMatch(/may read about \d+ rows, but only 20000 are allowed/);
  });

  test("exponentially expanding fragments are refused at once, without delaying others", async () => {
    const links = Array.from(
      { length: 60 },
      (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`,
    );
    const bomb = post({ query: `{ ...f0 } ${links.join(" ")} fragment f60 on Query { __typename }` });
    expect((await fetch(`${service.indexer.url}/health`)).status).toBe(200);
    expect((await bomb).status).toBe(200);
    expect(await messageOf(await bomb)).toMatch(/with its fragments expanded/);
  });

  test("a page counts towards the limit whichever fields it selects", async () => {
    const response = await post({
      query: "{ trades(limit: 1000) { items { tradedToken { trades(limit: 1000) { __typename } } } } }",
    });
    expect(await messageOf(response)).toMatch(/may read about \d+ rows/);
  });

  test("a chain that isn't indexed here and an address that is none are refused, where they would find nothing", async () => {
    for (const [query, message] of [
      [
        "{ tokens(where: { chainId: 97 }) { totalCount } }",
        /^chainId in where of tokens must be one of 56\.$/,
      ],
      [`{ token(chainId: 97, address: "${token}") { name } }`, /^chainId of token must be one of 56\.$/],
      [
        `{ candlesByDay(chainId: 97, token: "${token}") { day } }`,
        /^chainId of candlesByDay must be one of 56\.$/,
      ],
      [
        '{ token(chainId: 56, address: "PEPE") { name } }',
        /^address of token must be 0x and 40 hexadecimal digits/,
      ],
    ] as const) {
      expect(await messageOf(await post({ query })), query).toMatch(message);
    }
  });

  test("an invalid order direction is refused, both inline and in a variable", async () => {
    const inText = await post({
      query: '{ tokens(orderBy: "name", orderDirection: "ASC") { items { name } } }',
    });
    const inVariable = await post({
      query: "query ($d: String) { tokens(orderDirection: $d) { items { name } } }",
      variables: { d: "down" },
    });
    for (const response of [inText, inVariable]) {
      expect(await messageOf(response)).toMatch(/orderDirection of tokens must be "asc" or "desc"/);
    }
  });

  test("a query that is nested too deeply is refused", async () => {
    const nested = (depth: number): string =>
      depth === 0 ? "name" : `creatorAccount { createdTokens(limit: 1) { items { ${nested(depth - 1)} } } }`;
    const response = await post({ query: `{ token(chainId: 56, address: "${token}") { ${nested(9)} } }` });
    expect(await messageOf(response)).toMatch(/depth limit/i);
  });

  test("a query with too many aliases is refused", async () => {
    const aliases = Array.from(
      { length: graphqlLimits.aliases + 1 },
      (_, index) => `a${index}: _meta { status }`,
    );
    expect(await messageOf(await post({ query: `{ ${aliases.join(" ")} }` }))).toMatch(/aliases limit/i);
  });

  test("a query with too many lexical tokens is refused", async () => {
    const response = await post({ query: `{ ${"_meta { status } ".repeat(graphqlLimits.tokens)} }` });
    expect(await messageOf(response)).toMatch(/1000 tokens/);
  });

  test("a body over the limit is refused", async () => {
    const response = await post({
      query: "{ _meta { status } }",
      padding: "x".repeat(graphqlLimits.bodyBytes),
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ status: 413, code: "body_too_large" });
  });

  test.each([
    [
      "another content type",
      "query={_meta{status}}",
      { "content-type": "application/x-www-form-urlencoded" },
      415,
    ],
    ["invalid JSON", "{", undefined, 400],
    ["a body that is not an object", "[]", undefined, 400],
    ["null", "null", undefined, 400],
    ["no query", "{}", undefined, 400],
    ["a query that is not a string", '{"query":1}', undefined, 400],
    ["variables that are not an object", '{"query":"{a}","variables":"b"}', undefined, 400],
    ["a query that can't be parsed", '{"query":"{"}', undefined, 200],
  ])("%s gets a GraphQL error that says what is wrong", async (_, body, headers, status) => {
    const response = await post(body, headers);
    expect(response.status).toBe(status);
    expect(await messageOf(response)).toMatch(/\w/);
  });

  test("the introspection query that editors send is allowed", async () => {
    const { getIntrospectionQuery } = await import("graphql");
    const response = await post({ query: getIntrospectionQuery() });
    const { data, errors } = (await response.json()) as { data?: object; errors?: object };
    expect(errors).toBeUndefined();
    expect(data).toHaveProperty("__schema");
  });
});

test("a browser gets the editor, with every asset from this service", async () => {
  const { url } = service.indexer;
  const response = await fetch(`${url}/graphql`);
  expect(response.headers.get("content-type")).toContain("text/html");
  const html = await response.text();
  expect(html).not.toContain("//cdn");
  const assets = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);
  expect(assets).toHaveLength(4);
  for (const path of assets) {
    const asset = await fetch(url + path);
    expect([asset.status, asset.headers.get("cache-control")]).toEqual([
      200,
      expect.stringContaining("immutable"),
    ]);
    expect((await asset.text()).length).toBeGreaterThan(1_000);
  }
  expect((await fetch(`${url}/graphql/assets/1/..%2f..%2fpackage.json`)).status).toBe(404);
});

test("an unknown path gets a problem in JSON, without a stack trace", async () => {
  const response = await fetch(`${service.indexer.url}/api/nothing`);
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.json()).toMatchObject({ status: 404, code: "not_found" });
});
