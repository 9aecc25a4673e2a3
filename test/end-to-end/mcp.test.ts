import { ProtocolError } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { createWalletClient, formatEther, type Hex, http, parseEther, parseGwei } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { bsc } from "viem/chains";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { fundedAccount } from "../chain/funded-account.ts";
import { hostileMarks, hostileName, hostileText, hostileWord } from "../fuzz/hostile-texts.ts";
import { mcpCalls } from "../fuzz/mcp-calls.ts";
import { onlyInLongRun, sized } from "../run/long-run.ts";
import { until } from "../service/condition.ts";
import { connectMcp, type McpClient, revisions } from "../service/mcp-client.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { encode, picture } from "../service/sample-images.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";
import { signAsWallet } from "../service/sign-as-wallet.ts";

/* /mcp as agents use it, with the official client. */

let shared: SharedService;
let rest: RestClient;
let mcp: McpClient;
const clients: McpClient[] = [];

beforeAll(async () => {
  shared = await sharedService();
  rest = await createRestClient(shared.service.indexer.url);
  mcp = await connectMcp(shared.service.indexer.url);
  clients.push(mcp);
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
});

const indexed = async () => await shared.service.indexer.untilIndexed(56, await shared.chain.head());

test.each(revisions)("speaks %s: tools, resources and prompts", async (revision) => {
  const client = await connectMcp(shared.service.indexer.url, revision);
  clients.push(client);
  expect(client.client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(client.tools.map(({ name }) => name)).toContain("prepare_trade");
  expect(await client.use("get_stats")).toMatchObject({ chainId: 56 });
  const { resources } = await client.client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["launchpad://guide", "launchpad://contracts"]);
  for (const { uri } of resources) {
    const { contents } = await client.client.readResource({ uri });
    expect(JSON.stringify(contents).length).toBeGreaterThan(1_000);
  }
  const { prompts } = await client.client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(["launch_token", "research_token"]);
  const texts = [
    await client.client.getPrompt({ name: "launch_token", arguments: { name: "Otter", symbol: "OTTER" } }),
    await client.client.getPrompt({ name: "research_token", arguments: { mint: `0x${"1".repeat(40)}` } }),
  ].map((prompt) => JSON.stringify(prompt.messages));
  const tools = client.tools.map(({ name }) => name);
  for (const name of texts.join().match(/\b(find|get|assess|prepare|upload|register)_\w+/g) ?? []) {
    expect(tools).toContain(name);
  }
  // Only that one says what else an account created.
  expect(texts[1]).toContain("find_tokens with its creator as creator");
});

test("every tool says whether it writes, and describes its arguments", () => {
  expect(mcp.tools.length).toBeGreaterThan(15);
  for (const { description = "", annotations, inputSchema, outputSchema } of mcp.tools) {
    expect(description.length).toBeGreaterThan(80);
    expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), destructiveHint: false });
    expect([inputSchema.type, outputSchema?.type]).toEqual(["object", "object"]);
  }
  const writing = mcp.tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
  expect(writing.map(({ name }) => name)).toEqual(["upload_image", "register_token"]);
});

test("results are text, which the list of tools leaves room for, unless structured ones are asked for", async () => {
  const { chain, service } = shared;
  const mint = await chain.create(chain.traders[0], "Texts", "TEXTS");
  await chain.buy(chain.traders[1], mint, 3n * 10n ** 14n);
  await indexed();
  const text = await connectMcp(service.indexer.url, undefined, { isStructured: false });
  clients.push(text);
  expect(JSON.stringify(text.tools).length).toBeLessThan(30_000);
  expect(text.tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);

  const { content, parts } = await text.call("get_token", { mint });
  const { untrusted, ...token } = await mcp.use("get_token", { mint, minBlock: 0 });
  const [json = "", fenced = ""] = parts;
  expect([content, parts.length]).toEqual([undefined, 2]);
  expect(JSON.parse(json)).toEqual({ ...token, block: expect.any(Number), untrusted: 1 });
  expect(fenced).toContain(`<untrusted>\n${JSON.stringify({ 1: untrusted })}\n</untrusted>`);

  const queries = [
    "",
    "?structured=false",
    "?structured=yes",
    "?structured=true&structured=false",
    "?structure=true",
  ];
  const answers = queries.map(async (query) => {
    const method = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const { status } = await fetch(`${service.indexer.url}/mcp${query}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(method),
    });
    return status;
  });
  expect(await Promise.all(answers)).toEqual([200, 200, 400, 400, 400]);
});

test("decimals have six significant digits, and all of them with exact", async () => {
  const { chain } = shared;
  const mint = await chain.create(chain.traders[0], "Digits", "DIGITS");
  await chain.buy(chain.traders[1], mint, 123_456_789_123_456n);
  await indexed();
  const { priceBnb, volumeBnb } = (await rest.get(`/api/token/${mint}`)).body;
  expect(priceBnb).toMatch(/^0\.0*[1-9]\d{9}/);
  const exact = await mcp.use("get_token", { mint, exact: true });
  expect([exact.priceBnb, exact.volumeBnb]).toEqual([priceBnb, volumeBnb]);
  const rounded = await mcp.use("get_token", { mint });
  expect(rounded.priceBnb).toMatch(/^0\.0*[1-9]\d{0,5}$/);
  expect(Number(rounded.priceBnb) / Number(priceBnb)).toBeCloseTo(1, 5);
  // What is signed is never rounded.
  const trade = { mint, side: "buy", amount: "0.000123456789123", account: chain.traders[1] };
  expect((await mcp.use("prepare_trade", trade)).pays).toBe(trade.amount);
});

onlyInLongRun(() => {
  test("top traders and transfers are those of REST, of a token, an account or both", async () => {
    const { chain } = shared;
    const [creator, trader] = chain.traders;
    const friend = privateKeyToAddress(generatePrivateKey()).toLowerCase() as Hex;
    const mint = await chain.create(creator, "Moved", "MOVED");
    await chain.buy(trader, mint, 10n ** 15n);
    for (const amount of [3n, 2n]) await chain.transfer(trader, mint, friend, amount);
    await indexed();
    const exact = { exact: true };
    const traders = await mcp.use("get_traders", { mint, sort: "bought", ...exact });
    const { body } = await rest.get(`/api/token/${mint}/traders?sort=bought`);
    expect(traders.traders).toEqual(body.traders);
    const from = trader.toLowerCase();
    expect(traders.traders).toMatchObject([{ address: from }]);

    const moved = ["2", "3"].map((amountRaw) => ({ amountRaw, from, to: friend }));
    const symbol = expect.objectContaining({ symbol: "MOVED" });
    for (const given of [{ mint }, { account: friend }, { mint, account: trader }]) {
      const { transfers } = await mcp.use("get_transfers", { ...given, ...exact });
      expect([given, transfers]).toMatchObject([given, moved]);
      expect(transfers[0].untrusted).toEqual(symbol);
      const first = await mcp.use("get_transfers", { ...given, limit: 1 });
      const second = await mcp.use("get_transfers", { ...given, limit: 1, cursor: first.nextCursor });
      expect([first, second].flatMap(({ transfers }) => transfers)).toMatchObject(moved);
    }
    expect((await mcp.call("get_transfers", {})).text).toBe("invalid_request: Give mint, account or both.");
  });

  test("traders beyond those that were asked for, or fit into a result, come with the cursor", async () => {
    const { chain } = shared;
    const mint = await chain.create(chain.traders[0], "Paged", "PAGED");
    for (const [index, trader] of chain.traders.slice(0, 3).entries()) {
      await chain.buy(trader, mint, BigInt(3 - index) * 10n ** 14n);
    }
    await indexed();
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const args = { mint, sort: "bought", limit: 2, exact: true, ...(cursor !== null && { cursor }) };
      // biome-ignore lint/suspicious/noExplicitAny: the tool's result.
      const page: any = await mcp.use("get_traders", args);
      expect(page.traders.length).toBeLessThanOrEqual(2);
      seen.push(...page.traders);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual((await rest.get(`/api/token/${mint}/traders?sort=bought`)).body.traders);
    expect(seen).toHaveLength(3);
    const { nextCursor } = await mcp.use("get_holders", { mint, limit: 1 });
    const { text } = await mcp.call("get_traders", { mint, cursor: nextCursor });
    expect(text).toContain("invalid_cursor: a cursor must be one that a result of the same tool gave");
  });
});

test("no tool ignores an argument: each is known, or refused with the nearest name", async () => {
  for (const { name, inputSchema } of mcp.tools) {
    expect([name, inputSchema.additionalProperties]).toEqual([name, false]);
    const { isError, text } = await mcp.call(name, { unheardOf: 1 });
    expect([name, isError, text]).toEqual([
      name,
      true,
      expect.stringMatching(
        new RegExp(`^invalid_request: unheardOf is not an argument of ${name}: it takes `),
      ),
    ]);
  }
  const registration = {
    mint: `0x${"1".repeat(40)}`,
    name: "Otter",
    symbol: "OTTER",
    creator: `0x${"2".repeat(40)}`,
    burnPercent: 40,
  };
  const refusals = [
    [
      "find_tokens",
      { minHolder: 50 },
      "minHolder is not an argument of find_tokens: did you mean minHolders?",
    ],
    ["find_tokens", { search: "otter" }, "search is not an argument of find_tokens: it is called q"],
    ["prepare_trade", { slippagePercent: 5 }, "it is called slippage"],
    ["wait_for_events", { kinds: ["trade"] }, "it is called kind"],
    // Neither may mean everything, or from now on.
    ["wait_for_events", { mint: [] }, "mint must not be empty"],
    ["wait_for_events", { cursor: "" }, "cursor must not be empty"],
    [
      "prepare_trade",
      { amount: "10000000000000000" },
      'amount must be whole BNB for a buy or tokens for a sell, such as "0.01", not wei; or "50%", "max" or "$5"; with at most 12 digits',
    ],
    ["find_tokens", { sort: "volume", window: "1h" }, "window is of sort=gainers and sort=losers alone"],
    ["query_graphql", { query: "" }, "query must not be empty"],
    [
      "prepare_launch",
      { name: "🐸".repeat(17), symbol: "FROG", vanity: false },
      "name must have at most 64 bytes in UTF-8",
    ],
    [
      "prepare_launch",
      { name: "Frog", symbol: "\ud800", vanity: false },
      "symbol must be well-formed Unicode",
    ],
    [
      "prepare_launch",
      { name: "Frog", symbol: "FROG", vanity: false, firstBuy: `0.${"0".repeat(18)}1` },
      "with at most 9 digits before the point and 18 after it",
    ],
    ["prepare_registration", { ...registration, name: "" }, "name must not be empty"],
    [
      "prepare_registration",
      { ...registration, imageUrl: "otter.png" },
      "imageUrl must be a URL that begins with https://",
    ],
    [
      "prepare_registration",
      { ...registration, twitterUrl: "@otter" },
      "twitterUrl must be a URL that begins with https://",
    ],
    [
      "prepare_registration",
      { ...registration, description: "two\nlines" },
      "description must have no control characters",
    ],
    ["register_token", { ...registration, signature: "" }, "signature must not be empty"],
    ["get_token", {}, "mint is missing"],
    ["prepare_trade", { side: undefined }, "side is missing: it must be buy or sell"],
    [
      "prepare_launch",
      { name: "Frog", symbol: "FROG", account: `0x${"0".repeat(40)}` },
      "account must not be the zero address",
    ],
    [
      "query_graphql",
      { query: "{ tokens(limit: 1) { items { adress } } }" },
      'Did you mean "address"? Correct the query.',
    ],
    [
      "query_graphql",
      { query: "{ __typename }", variables: { limit: 1 } },
      "The query has no variable $limit",
    ],
    ["get_trades", { limit: 51 }, "limit must be at most 50"],
    ["get_trades", { mint: `0x${"1".repeat(40)}` }, "token_not_found: The index has no token 0x1111"],
    [
      "get_trades",
      { limit: "5", trader: "0x1" },
      "trader must be an address: 0x and 40 hexadecimal digits; limit must be a number",
    ],
    [
      "wait_for_events",
      { kind: ["sale"] },
      "kind must be one of created, trade, graduated, registered, transfer, liquidity_added, liquidity_removed, or a list",
    ],
  ] as const;
  const { text: tooLarge } = await mcp.call("get_trades", { limit: 1e300 });
  expect(tooLarge).toBe("invalid_request: limit must be at most 50");
  // The length of what has the wrong type doesn't matter.
  const { text: noList } = await mcp.call("find_tokens", { fields: "x".repeat(100) });
  const { text: noText } = await mcp.call("query_graphql", { query: [] });
  expect([noList, noText]).toEqual([
    "invalid_request: fields must be a list",
    "invalid_request: query must be a string",
  ]);
  const forNobody = await mcp.call("prepare_launch", { name: "Nobody's", symbol: "NOBODY" });
  expect([forNobody.isError, forNobody.text]).toEqual([true, expect.stringContaining("account is missing")]);
  const trade = { mint: `0x${"1".repeat(40)}`, side: "buy", amount: "0.01", account: `0x${"1".repeat(40)}` };
  for (const [name, args, message] of refusals) {
    const { isError, text } = await mcp.call(name, name === "prepare_trade" ? { ...trade, ...args } : args);
    expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
  }
});

test("a call whose arguments are in another place, or of a tool that isn't there, says so in place of running without them", async () => {
  const post = async (params: unknown) => {
    const response = await fetch(`${shared.service.indexer.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: an answer or an error.
    return (await response.json()) as any;
  };
  const elsewhere = "and no arguments: put all arguments of get_stats into params.arguments";
  const misplaced: [params: object, message: string][] = [
    [{ name: "get_stats", args: { chainId: 97 } }, `params has args, ${elsewhere}`],
    [{ name: "get_stats", chainId: 97 }, `params has chainId, ${elsewhere}`],
    [
      { name: "get_stats", arguments: '{"chainId":97}' },
      "params.arguments must be an object, not JSON in a string",
    ],
    [{ name: "get_stats", arguments: [] }, "params.arguments must be an object: leave it out"],
    [{ name: "get_stats", arguments: null }, "params.arguments must be an object: leave it out"],
    [{ name: "gettoken", arguments: {} }, "gettoken is not a tool of this server: did you mean get_token?"],
    [{ name: 1 }, "params.name must be the name of a tool"],
  ];
  for (const [params, message] of misplaced) {
    const { id, error } = await post(params);
    expect([params, id, error.code, error.message]).toEqual([
      params,
      7,
      -32_602,
      expect.stringContaining(message),
    ]);
  }
  for (const params of [{ name: "get_stats" }, { name: "get_stats", _meta: { progressToken: 1 } }]) {
    expect((await post(params)).result.isError).toBeUndefined();
  }
});

onlyInLongRun(() => {
  test("holders and leaders come once by cursor while one of them rises", async () => {
    const { chain } = shared;
    const [creator] = chain.traders;
    const mint = (await chain.create(creator)).toLowerCase() as Hex;
    const accounts = await Promise.all(Array.from({ length: 5 }, () => fundedAccount(chain)));
    const addresses = accounts.map(({ address }) => address.toLowerCase());
    for (const [index, { address }] of accounts.entries()) {
      await chain.buy(address, mint, parseEther("0.001") * BigInt(5 - index));
    }
    await indexed();
    const lists = [
      { tool: "get_holders", args: { mint }, rows: "holders" },
      { tool: "get_leaderboard", args: { by: "volume" }, rows: "leaders" },
    ];
    for (const { tool, args, rows } of lists) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        // biome-ignore lint/suspicious/noExplicitAny: the tools' results differ.
        const page: any = await mcp.use(tool, { ...args, limit: 2, ...(cursor && { cursor }) });
        seen.push(...page[rows].map(({ address }: { address: string }) => address));
        if (cursor === null) {
          // The last one overtakes everyone.
          await chain.buy(accounts[4]?.address as Hex, mint, parseEther("0.01"));
          await indexed();
        }
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(addresses.slice(0, 4)));
    }
  });
});

test("an image by URL is refused unless the operator allows it", async () => {
  const { isError, text } = await mcp.call("upload_image", { image: "https://otter.example/a.png" });
  expect([isError, text]).toEqual([true, expect.stringContaining("images_from_urls_off")]);
});

test("an agent that knows only the URL launches, buys, sells and graduates a token", async () => {
  const { chain } = shared;
  const account = await fundedAccount(chain);
  const wallet = createWalletClient({ account, chain: bsc, transport: http(chain.rpcUrl) });
  const names = { name: "Agent Otter", symbol: "AGENT" };

  async function sendAll(steps: { transaction: Record<string, Hex> }[]) {
    let hash: Hex = "0x";
    for (const { transaction } of steps) {
      const { to, data, value, gas } = transaction;
      const call = { to, data, value: BigInt(value ?? 0), gas: BigInt(gas ?? 0) };
      hash = await wallet.sendTransaction({ ...call, chain: null });
      await chain.publicClient.waitForTransactionReceipt({ hash });
    }
    await indexed();
    return await mcp.use("get_transaction", { hash });
  }

  const launch = await mcp.use("prepare_launch", { ...names, account: account.address, firstBuy: "0.002" });
  expect(launch).toMatchObject({ simulation: { outcome: "succeeds" }, mint: expect.stringMatching(/5afe$/) });
  const plain = await mcp.use("prepare_launch", { ...names, account: account.address, vanity: false });
  expect(plain).toMatchObject({ simulation: { outcome: "succeeds" }, mint: null, firstBuy: null });
  const { cursor } = { cursor: (await mcp.use("wait_for_events", { timeout: 0 })).nextCursor };
  const created = await sendAll(launch.steps);
  const salt = expect.stringMatching(new RegExp(`^${account.address}`, "i"));
  expect(created).toMatchObject({
    status: "succeeded",
    call: { functionName: "createTokenAndBuy", args: { salt } },
  });
  const { mint } = launch;
  expect(formatEther(await chain.balanceOf(mint, account.address))).toBe(launch.firstBuy.gets);

  const png = (await encode(picture(), "png")).toString("base64");
  const image = await mcp.use("upload_image", { image: `data:image/png;base64,${png}` });
  const { typedData, body } = await mcp.use("prepare_registration", {
    ...names,
    mint,
    creator: account.address,
    burnPercent: 50,
    imageUrl: image.url,
  });
  const signature = await signAsWallet(account, typedData);
  const registered = await mcp.use("register_token", { ...body, signature });
  expect(registered).toMatchObject({ mint, verified: true, untrusted: names });

  const events = await mcp.use("wait_for_events", { cursor, mint, timeout: 20 });
  expect(events.events.map(({ kind }: { kind: string }) => kind)).toContain("created");

  const trade = { mint, account: account.address };
  const buy = await mcp.use("prepare_trade", { ...trade, side: "buy", amount: "0.01" });
  expect(buy).toMatchObject({ venue: "curve", pays: "0.01", simulation: { outcome: "succeeds" } });
  expect(await sendAll(buy.steps)).toMatchObject({ status: "succeeded", call: { functionName: "buy" } });

  const half = { ...trade, side: "sell", amount: "50%" };
  const { permit, deadline, ...offered } = await mcp.use("prepare_trade", half);
  // Includes the approval, which has not been sent yet.
  expect(offered).toMatchObject({ steps: [{}, {}], simulation: { outcome: "succeeds" } });
  const permitSignature = await signAsWallet(account, permit);
  const sell = await mcp.use("prepare_trade", { ...half, permitSignature, deadline });
  expect(sell).toMatchObject({ steps: [{}], permit: null, deadline, simulation: { outcome: "succeeds" } });
  const stale = await mcp.use("prepare_trade", { ...half, permitSignature, deadline: deadline + 1 });
  expect(stale).toMatchObject({
    steps: [],
    permit: { message: { deadline: String(deadline + 1) } },
    warnings: expect.arrayContaining([
      expect.stringMatching(/^would_revert: the signature is of another permit/),
      expect.stringMatching(/^permit_not_valid: /),
    ]),
  });
  expect(await sendAll(sell.steps)).toMatchObject({
    status: "succeeded",
    call: { functionName: "sellWithPermit" },
  });

  const assessed = await mcp.use("assess_token", { mint });
  expect(assessed.buys).toMatchObject([{ amountBnb: "0.01" }, { amountBnb: "0.1", graduates: true }]);
  expect(assessed).toMatchObject({ risk: { creatorPercent: 100, effectiveHolders: 1 }, sameSymbolTokens: 0 });
  expect(assessed.flags).toContainEqual(expect.stringMatching(/^creator_holds_much: .* 100 % of the circ/));
  // The creator's own first buy makes it no sniper.
  expect(assessed.risk).toMatchObject({ earlyBuyers: 1, snipers: 0 });
  expect(assessed.flags).not.toContainEqual(expect.stringMatching(/^snipers: /));
  const last = await mcp.use("prepare_trade", { ...trade, side: "buy", amount: "0.06" });
  expect(last).toMatchObject({
    graduates: true,
    warnings: [expect.stringMatching(/^high_impact: .*less than at the price before it/), expect.any(String)],
  });
  await sendAll(last.steps);
  expect(await mcp.use("get_token", { mint })).toMatchObject({ graduated: true, untrusted: names });

  const onDex = await mcp.use("prepare_trade", { ...trade, side: "sell", amount: "max" });
  expect(onDex).toMatchObject({ venue: "dex", steps: [{}, {}], simulation: { outcome: "succeeds" } });
  await sendAll(onDex.steps);
  // On a busy machine the chain may answer too late at first.
  const portfolio = await until("the account's balance", async () => {
    const found = await mcp.use("get_portfolio", { account: account.address });
    return found.nativeBalanceWei !== null && found.totals.exitBnb !== null && found;
  });
  expect(portfolio).toMatchObject({ positions: [{ mint, buys: 3, sells: 2 }] });
  expect(portfolio).toMatchObject({ block: expect.any(Number), totals: { exitBnb: "0" } });
  expect(BigInt(portfolio.nativeBalanceWei)).toBeGreaterThan(0n);
});

test("with the block of its transaction, an agent sees what it did, and every answer names its block", async () => {
  const { chain } = shared;
  const [creator, trader] = chain.traders;
  const mint = await chain.create(creator, "Seen", "SEEN");
  await chain.buy(trader, mint, 10n ** 16n);
  const args = {
    mint,
    account: trader,
    query: "{ tokens(limit: 1) { items { address } } }",
    side: "buy",
    amount: "0.0001",
    name: "Seen",
    symbol: "SEEN",
    firstBuy: "0.001",
  };
  const ofIndex = mcp.tools.filter(({ inputSchema }) => "minBlock" in (inputSchema.properties ?? {}));
  const others = mcp.tools.filter((tool) => !ofIndex.includes(tool)).map(({ name }) => name);
  expect(others.sort()).toEqual([
    ...["get_daily_stats", "get_leaderboard", "get_transaction", "prepare_registration"],
    ...["register_token", "upload_image", "wait_for_events"],
  ]);
  // Each takes a block; that all results have one is also in their schemas.
  const called = ofIndex.filter((_, index) => index % sized({ usual: 4, long: 1 }) === 0);
  for (const { name, inputSchema } of called) {
    // Nothing waits until it is indexed but the call itself.
    await chain.buy(trader, mint, 10n ** 12n);
    const minBlock = Number(await chain.head());
    const taken = Object.entries(args).filter(([argument]) => argument in (inputSchema.properties ?? {}));
    const { block } = await mcp.use(name, { ...Object.fromEntries(taken), minBlock });
    expect([name, block]).toEqual([name, minBlock]);
  }

  const sold = (await chain.balanceOf(mint, trader)) / 2n;
  await chain.sell(trader, mint, sold);
  const minBlock = Number(await chain.head());
  const portfolio = await until("the account's balance", async () => {
    const answer = await mcp.use("get_portfolio", { account: trader, minBlock });
    return answer.nativeBalanceWei !== null && answer;
  });
  const at = { blockNumber: BigInt(portfolio.block) };
  expect(portfolio.block).toBeGreaterThanOrEqual(minBlock);
  expect(portfolio.nativeBalanceWei).toBe(
    String(await chain.publicClient.getBalance({ address: trader, ...at })),
  );
  const [position] = portfolio.positions;
  expect(position).toMatchObject({ mint: mint.toLowerCase(), tokensSoldRaw: String(sold) });

  const { isError, text } = await mcp.call("get_token", { mint, minBlock: minBlock + 1_000_000 });
  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(/^block_not_indexed: .* Try again after 1 s/),
  ]);
});

test("times in seconds come in ISO 8601 too", async () => {
  const { chain } = shared;
  const [creator, trader] = chain.traders;
  const mint = await chain.create(creator, "Timed", "TIMED");
  await chain.buy(trader, mint, 10n ** 15n);
  await indexed();
  const { candles } = await mcp.use("get_candles", { mint, interval: "5m" });
  expect(candles.length).toBeGreaterThan(0);
  for (const { time, openTime } of candles) expect(Date.parse(openTime)).toBe(time * 1_000);
  const trade = { mint, side: "buy", amount: "0.001", account: trader };
  const { deadline, expiresAt } = await mcp.use("prepare_trade", trade);
  expect(Date.parse(expiresAt)).toBe(deadline * 1_000);
});

test("a reverted transaction says why", async () => {
  const { chain } = shared;
  const [trader] = chain.traders;
  const mint = await chain.create(trader, "Reverting", "REV");
  await indexed();
  const buy = await mcp.use("prepare_trade", { mint, side: "buy", amount: "0.001", account: trader });
  await chain.buy(chain.traders[1], mint, 2n * 10n ** 16n);
  const { to, data, value } = buy.steps[0].transaction;
  const hash = await chain.submit(trader, to, data, BigInt(value));
  await chain.publicClient.waitForTransactionReceipt({ hash });
  const reverted = await mcp.use("get_transaction", { hash });
  expect(reverted).toMatchObject({ status: "reverted", revertReason: expect.stringMatching(/^[A-Z]\w+$/) });
});

test("a trade that would revert is not there to sign, and errors are in the units of the input", async () => {
  const { chain } = shared;
  const mint = await chain.create(chain.traders[0], "Unaffordable", "POOR");
  await chain.buy(chain.traders[1], mint, 10n ** 15n);
  await indexed();
  const account = `0x${"9".repeat(40)}`;
  const sell = await mcp.use("prepare_trade", { mint, side: "sell", amount: "2.5", account });
  expect(sell).toMatchObject({ steps: [], simulation: { outcome: "reverts" } });
  expect(sell.warnings[0]).toMatch(/^would_revert: the account has too little\. There is no transaction/);
  expect(sell.warnings).toContain(
    "balance_too_low: The account holds 0 tokens, and the sell takes 2.5 tokens.",
  );
  const buy = await mcp.use("prepare_trade", { mint, side: "buy", amount: "0.001", account });
  expect(buy).toMatchObject({
    steps: [],
    simulation: { outcome: "reverts", reason: "the account has too little BNB" },
  });
  for (const [side, amount] of [
    ["sell", "max"],
    ["sell", "50%"],
    ["buy", "max"],
  ]) {
    const { isError, text } = await mcp.call("prepare_trade", { mint, side, amount, account });
    expect([isError, text]).toEqual([true, expect.stringMatching(/^amount_too_small: .*nothing to spend/)]);
  }
  const tooMuch = await mcp.call("prepare_trade", { mint, side: "sell", amount: "999999999999", account });
  expect([tooMuch.isError, tooMuch.text]).toEqual([
    true,
    expect.stringMatching(/^amount_too_large: amount must be at most \d{1,9}(\.\d+)? tokens:/),
  ]);
});

test("a buy of everything leaves what its gas costs, however high the gas price is", async () => {
  const { chain } = shared;
  const mint = await chain.create(chain.traders[0], "Everything", "ALL");
  await indexed();
  const { address: account } = await fundedAccount(chain);
  const balance = await chain.publicClient.getBalance({ address: account });
  const buy = async () => {
    const { steps } = await mcp.use("prepare_trade", { mint, side: "buy", amount: "max", account });
    const { value, gas } = steps[0].transaction;
    return { left: balance - BigInt(value), gas: BigInt(gas) };
  };
  expect((await buy()).left).toBe(parseEther("0.001"));
  const setBaseFee = (gwei: string) =>
    chain.testClient.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
  await setBaseFee("20");
  onTestFinished(() => setBaseFee("0"));
  const gasPrice = await chain.publicClient.getGasPrice();
  expect(gasPrice).toBeGreaterThanOrEqual(parseGwei("20"));
  const { left, gas } = await buy();
  expect(left).toBe(2n * gas * gasPrice);
});

test("following cursors neither repeats nor skips a row", async () => {
  const { chain } = shared;
  const mint = await chain.create(chain.traders[0], "Paged", "PAGED");
  for (let index = 1; index <= 7; index++)
    await chain.buy(chain.traders[1], mint, BigInt(index) * 10n ** 13n);
  await indexed();
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await mcp.use("get_trades", { mint, limit: 3, cursor });
    seen.push(...page.trades.map(({ id }: { id: string }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  const { trades } = (await rest.get(`/api/trades?mint=${mint}`)).body;
  expect(seen).toEqual(trades.map(({ id }: { id: string }) => id));
  const { isError, text } = await mcp.call("get_trades", { cursor: "nonsense" });
  expect([isError, text]).toEqual([true, expect.stringMatching(/^invalid_cursor: .*without it/)]);
});

onlyInLongRun(() => {
  test("what happens between two pages neither repeats nor hides what the first page left out", async () => {
    const { chain } = shared;
    const [creator, trader] = chain.traders;
    const mint = await chain.create(creator, "Busy".repeat(16), "BUSY");
    for (let index = 1; index <= 50; index++) await chain.buy(trader, mint, BigInt(index) * 10n ** 12n);
    for (let index = 1; index <= 5; index++) {
      await chain.buy(trader, await chain.create(creator, "Held", "HELD"), 10n ** 13n);
    }
    await indexed();
    const url = shared.service.indexer.url;
    const known = await fetch(`${url}/api/account/${trader}/positions?limit=100`);
    const { positions } = (await known.json()) as { positions: { mint: string }[] };
    const lists = [
      ["get_trades", { mint, limit: 50 }, "trades", "id", 50],
      ["get_portfolio", { account: trader, limit: 50 }, "positions", "mint", positions.length],
    ] as const;
    for (const [name, args, list, key, count] of lists) {
      const first = await mcp.use(name, args);
      expect(first[list].length).toBeLessThan(count);
      // The trader holds 6 tokens and more.
      if (name === "get_portfolio") {
        expect(first.nextHoldingsCursor !== null).toBe(first.totals.holdings > first.holdings.length);
        const few = await mcp.use(name, { ...args, limit: 5 });
        const held = few.holdings.map((row: Record<string, string>) => row.mint);
        expect(held).toHaveLength(5);
        for (let holdingsCursor = few.nextHoldingsCursor; holdingsCursor !== null; ) {
          const page = await mcp.use(name, { account: trader, limit: 5, holdingsCursor });
          held.push(...page.holdings.map((row: Record<string, string>) => row.mint));
          holdingsCursor = page.nextHoldingsCursor;
        }
        expect([held.length, new Set(held).size]).toEqual(Array(2).fill(first.totals.holdings));
        const both = { account: trader, cursor: first.nextCursor, holdingsCursor: few.nextHoldingsCursor };
        expect((await mcp.call(name, both)).text).toMatch(/^invalid_request: .*in a call of its own/);
      }
      await chain.buy(trader, mint, 10n ** 12n);
      await indexed();
      const seen = first[list].map((row: Record<string, string>) => row[key]);
      for (let cursor = first.nextCursor; cursor !== null; ) {
        const page = await mcp.use(name, { ...args, cursor });
        seen.push(...page[list].map((row: Record<string, string>) => row[key]));
        cursor = page.nextCursor;
      }
      // The token that was just bought has moved to the top of the positions.
      const others = (all: string[]) => all.filter((value) => value !== mint.toLowerCase()).sort();
      expect(others(seen)).toEqual(others([...new Set(seen)] as string[]));
      if (name === "get_trades") expect(seen).toHaveLength(count);
      else expect(others(seen)).toEqual(others(positions.map((position) => position.mint)));
    }
  });
});

test("a leaderboard comes page by page in the same order as in REST", async () => {
  const { chain } = shared;
  const mint = await chain.create(chain.traders[0], "Led", "LED");
  for (const trader of chain.traders.slice(1, 3)) await chain.buy(trader, mint, 10n ** 14n);
  await indexed();
  const args = { by: "volume", limit: 1, exact: true };
  // A board that another test file requested may be recomputed meanwhile.
  await vi.waitFor(async () => {
    const first = await mcp.use("get_leaderboard", args);
    const second = await mcp.use("get_leaderboard", { ...args, cursor: first.nextCursor });
    const answer = await fetch(`${shared.service.indexer.url}/api/leaderboard?by=volume&limit=2`);
    const { leaders, total } = (await answer.json()) as { leaders: object[]; total: number };
    expect(leaders).toHaveLength(2);
    expect([...first.leaders, ...second.leaders]).toEqual(leaders);
    expect(first.total).toBe(total);
  }, 100_000);
});

test("random calls get results that match their schemas, or errors that say what to do", async () => {
  const { chain } = shared;
  const mint = await chain.create(chain.traders[0], "Fuzzed", "FUZZ");
  const { transactionHash } = await chain.buy(chain.traders[1], mint, 10n ** 15n);
  await indexed();
  const known = {
    addresses: [mint, chain.traders[1], chain.deployment.launchpad, `0x${"9".repeat(40)}`],
    hashes: [transactionHash, `0x${"9".repeat(64)}`],
  };
  const calls = fc.sample(mcpCalls(mcp.tools, known), sized({ usual: 100, long: 2_000 }));
  const next = calls.values();
  async function work() {
    for (const [name, args] of next) {
      const { isError, text } = await mcp.call(name, args).catch(asRefusal);
      if (isError) expect(text).toMatch(/^(?!internal_error)[a-z_]+: .{10}|Invalid|not found/s);
    }
  }
  await Promise.all([work(), work(), work(), work()]);
  expect(mcp.statuses.filter((status) => status >= 500)).toEqual([]);
});

/** Invalid arguments may be refused by the protocol itself. */
function asRefusal(error: unknown) {
  if (error instanceof ProtocolError) return { isError: true, text: `Invalid: ${error.message}` };
  throw error;
}

test("a volume as small as 10^-7 BNB is accepted as a condition", async () => {
  const { chain } = shared;
  const creator = chain.traders[2];
  const mint = await chain.create(creator, "Untraded", "QUIET");
  await indexed();
  expect(
    (await rest.post("/api/tokens", registrationOf(mint, creator, { name: "Untraded", symbol: "QUIET" })))
      .status,
  ).toBe(201);
  expect((await mcp.use("find_tokens", { q: "untraded" })).total).toBe(1);
  expect((await mcp.use("find_tokens", { q: "untraded", minVolumeBnb: 1e-7 })).total).toBe(0);
});

test("newer imitations don't hide the token that they imitate", async () => {
  const { chain } = shared;
  const [creator] = chain.traders;
  const names = { name: "Imitated", symbol: "IMITATED" };
  const mints: string[] = [];
  for (let index = 0; index < 12; index++) {
    const mint = await chain.create(creator, names.name, names.symbol);
    if (index === 0) for (const trader of chain.traders.slice(1)) await chain.buy(trader, mint, 10n ** 13n);
    mints.push(mint.toLowerCase());
    expect((await rest.post("/api/tokens", registrationOf(mint, creator, names))).status).toBe(201);
  }
  await indexed();
  const { sameSymbol, sameSymbolTokens, lookAlike, flags } = await mcp.use("assess_token", {
    mint: mints.at(-1),
  });
  expect([sameSymbolTokens, sameSymbol.length]).toEqual([11, 10]);
  expect(sameSymbol[0]).toMatchObject({ mint: mints[0], holderCount: expect.any(Number) });
  const untrusted = { name: names.name, symbol: names.symbol };
  expect(lookAlike).toMatchObject({ mint: mints[0], reason: "older", same: ["symbol", "name"], untrusted });
  expect(lookAlike).not.toHaveProperty("name");
  expect(flags.join()).toContain(`look_alike: its symbol and name looks like that of ${mints[0]}`);
  const original = await mcp.use("assess_token", { mint: mints[0] });
  expect([original.lookAlike, original.flags.join()]).toEqual([
    null,
    expect.not.stringContaining("look_alike"),
  ]);
});

describe("hostile text", () => {
  // One in each disguise.
  const count = sized({ usual: 20, long: 1_000 });
  const mints: string[] = [];
  let cursor: string;

  beforeAll(async () => {
    const { chain } = shared;
    cursor = (await mcp.use("wait_for_events", { timeout: 0 })).nextCursor;
    for (let index = 0; index < count; index++) {
      const name = hostileName(index);
      const symbol = `IGNORE${index}\u202e`;
      const mint = (await chain.create(chain.traders[2], name, symbol)).toLowerCase() as Hex;
      await chain.buy(chain.traders[1], mint, 10n ** 14n);
      const links = {
        imageUrl: "https://evil.example/IGNORE.png",
        websiteUrl: `https://evil.example/IGNORE/${index}`,
        twitterUrl: "https://evil.example/IGNORE?q=%3Cscript%3E",
      };
      const description = hostileText(index).replaceAll(/\p{Cc}/gu, " ");
      const changes = { name, symbol, description, ...links };
      const { status, body } = await rest.post(
        "/api/tokens",
        registrationOf(mint, chain.traders[2], changes),
      );
      expect([index, status, body.detail]).toEqual([index, 201, undefined]);
      mints.push(mint);
    }
    await indexed();
  });

  /** Returns the text outside of fields that are marked as untrusted. */
  function trustedText(value: unknown): string {
    return JSON.stringify(value, (key, inner) => (key === "untrusted" ? undefined : inner)) ?? "";
  }

  test("appears only in fields marked as untrusted, without invisible characters or clickable links", async () => {
    const [mint = ""] = mints;
    const account = shared.chain.traders[2];
    const { trades } = await mcp.use("get_trades", { mint });
    const calls: [string, Record<string, unknown>][] = [
      ["find_tokens", { creator: account, limit: 100 }],
      ["find_tokens", { q: hostileWord, fields: ["verified", "windows", "risk"] }],
      ...mints.flatMap((each): [string, Record<string, unknown>][] => [
        ["get_token", { mint: each }],
        ["assess_token", { mint: each }],
      ]),
      ["get_trades", { trader: shared.chain.traders[1] }],
      ["get_holders", { mint }],
      ["get_transfers", { mint }],
      ["get_candles", { mint }],
      ["get_portfolio", { account: shared.chain.traders[1] }],
      ["prepare_trade", { mint, side: "buy", amount: "0.001", account }],
      ["get_transaction", { hash: trades[0].tx }],
      ["wait_for_events", { cursor, creator: account }],
      ["query_graphql", { query: "{ tokens(limit: 50) { items { name symbol } } }" }],
      ["register_token", { ...registrationOf(mint as Hex, account), name: "other" }],
    ];
    const reader = await connectMcp(shared.service.indexer.url, undefined, { isStructured: false });
    clients.push(reader);
    for (const [name, args] of calls) {
      const { text, content } = await mcp.call(name, args);
      const { parts } = await reader.call(name, args);
      const [json = "", fenced = ""] = parts;
      const [before, entries = "{}", ...after] = fenced.split(/<\/?untrusted>/);
      for (const mark of hostileMarks) {
        expect([name, mark, (text + trustedText(content)).includes(mark)]).toEqual([name, mark, false]);
        expect([name, mark, (json + before + after).includes(mark)]).toEqual([name, mark, false]);
      }
      expect([name, after.join("")]).toEqual([name, ""]);
      for (const shown of [JSON.stringify(content ?? {}), JSON.stringify(JSON.parse(entries))])
        expect([name, shown.match(/\w:\/\/[^"]*evil|\p{Cf}|\p{Cc}/u)]).toEqual([name, null]);
    }
    const creator = await fundedAccount(shared.chain);
    const unseen = await shared.chain.create(
      creator.address,
      "\u{1f468}\u200d\u{1f469}  Otter\u202e",
      "O\u200bTR",
    );
    await shared.service.indexer.untilIndexed(56, await shared.chain.head());
    const { name: _, symbol: __, ...nameless } = registrationOf(unseen, creator.address);
    const registered = await mcp.use("register_token", nameless);
    expect(registered).toMatchObject({ mint: unseen.toLowerCase(), registered: true });
    expect(JSON.stringify(registered)).not.toMatch(/\p{Cf}/u);
    const { typedData, body } = await mcp.use("prepare_registration", nameless);
    const signature = await signAsWallet(creator, typedData);
    const signed = await mcp.use("register_token", { ...body, signature });
    expect(signed).toMatchObject({ mint: unseen.toLowerCase(), verified: true });
    expect(JSON.stringify([body, signed])).not.toMatch(/\p{Cf}/u);
    const { contents } = await mcp.client.readResource({ uri: `launchpad://token/${mint}` });
    const [token] = contents;
    expect(trustedText(JSON.parse(token && "text" in token ? token.text : "{}"))).not.toContain(hostileWord);
  });
});

describe("access", () => {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const post = (changes: Record<string, string> = {}, body = list) =>
    fetch(`${shared.service.indexer.url}/mcp`, { method: "POST", headers: { ...headers, ...changes }, body });

  test("a page of another site is refused, and a local one is allowed", async () => {
    const refused = await post({ origin: "https://evil.example" });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, "refused"]);
    expect((await post({ origin: "http://localhost:6274" })).status).toBe(200);
    expect((await post()).status).toBe(200);
  });

  test("a body that is too large, not JSON, or a batch is refused", async () => {
    expect((await post({}, " ".repeat(7_200_000))).status).toBe(413);
    expect((await post({}, "{")).status).toBe(400);
    expect((await post({}, `[${list}]`)).status).toBe(400);
    expect((await post({ "content-type": "text/plain" })).status).toBe(415);
    const got = await fetch(`${shared.service.indexer.url}/mcp`);
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  });
});
