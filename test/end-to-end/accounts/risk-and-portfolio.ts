import { type Address, formatEther, parseEther } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { graduatingAmount, type LaunchpadChain, reachedThrough } from "../../chain/launchpad-chain.ts";
import { type RpcGate, startRpcGate } from "../../doubles/rpc-gate.ts";
import { until } from "../../service/condition.ts";
import type { Indexer } from "../../service/indexer.ts";
import { createRestClient, type RestClient } from "../../service/rest-client.ts";
import { retryUntilComplete } from "../../service/retry-until-complete.ts";
import type { Service } from "../../service/service.ts";
import { type AccountsServed, milli, usd } from "./served.ts";

/*
 * Who owns the circulating supply, and what selling an account's tokens would bring, on the curve and on the DEX. random-market
 * and rest-market compare the same values with the chain's logs.
 */

export function testRiskAndPortfolio(served: () => AccountsServed): void {
  let chain: LaunchpadChain;
  let gate: RpcGate;
  let service: Service;
  /** Reads the same database, but reaches the chain through the gate. */
  let replica: Indexer;
  let rest: RestClient;
  let creator: Address;
  let buyer: Address;
  let friend: Address;
  let onDex: Address;
  let onCurve: Address;

  beforeAll(async () => {
    ({ mainnet: chain, service, rest, onDex, onCurve } = served());
    [creator, buyer, friend] = chain.traders;
    gate = await startRpcGate(chain.rpcUrl);
    const gated = reachedThrough(gate.url, chain);
    replica = await service.startReplica({ chains: [gated, served().testnet].map((each) => each.indexed()) });
  });

  afterAll(async () => {
    await replica?.stop();
    await gate?.stop();
  });

  async function get(path: string) {
    await service.indexer.untilIndexed(56, await chain.head());
    const { status, body } = await retryUntilComplete(() => rest.get(`/api/${path}`));
    expect([path, status]).toEqual([path, 200]);
    return body;
  }

  const riskOf = async (mint: Address) => (await get(`token/${mint}`)).risk;

  test("two holders who own everything in circulation have 100 %", async () => {
    const mint = await chain.create(creator, "Two", "TWO");
    expect(await riskOf(mint)).toEqual({
      creatorPercent: null,
      top10Percent: null,
      earlyBuyersPercent: null,
      effectiveHolders: null,
      creatorOfSupplyPercent: 0,
      top10OfSupplyPercent: 0,
      earlyBuyersOfSupplyPercent: 0,
      snipers: 0,
      snipersPercent: null,
      snipersBoughtPercent: null,
      bundlers: 0,
      bundlersPercent: null,
      bundlersBoughtPercent: null,
      insiders: 0,
      insidersPercent: null,
      insidersReceivedPercent: null,
      earlyBuyers: 0,
      creatorSoldOut: false,
      creatorGraduated: null,
      creatorBuysPercent: null,
      openingBuysPercent: null,
    });
    await chain.buy(buyer, mint, 8n * milli);
    const bought = await chain.balanceOf(mint, buyer);
    await chain.transfer(buyer, mint, friend, bought / 2n);
    const risk = await riskOf(mint);
    expect(risk).toMatchObject({ creatorPercent: 0, top10Percent: 100, earlyBuyersPercent: 50 });
    // 9e8 * 0.008 / 0.108 of 5e8 tokens.
    expect(risk.top10OfSupplyPercent).toBeCloseTo(13.3333, 3);
    expect(risk.effectiveHolders).toBeCloseTo(2, 3);

    // Burned tokens and tokens sent to the launchpad no longer circulate.
    await chain.transfer(friend, mint, "0x000000000000000000000000000000000000dEaD", bought / 8n);
    await chain.burn(friend, mint, bought / 8n);
    await chain.transfer(friend, mint, chain.deployment.launchpad, bought / 8n);
    const after = await riskOf(mint);
    expect(after.top10Percent).toBe(100);
    // Holdings of 4/8 and 1/8: 5² / (4² + 1²).
    expect(after.effectiveHolders).toBeCloseTo(25 / 17, 3);
  });

  test("a creator whose token graduated and a creator who sold out are reported", async () => {
    expect(await riskOf(onDex)).toMatchObject({ creatorGraduated: true, creatorSoldOut: false });
    const mint = await chain.create(friend, "Left", "LEFT");
    await chain.buy(friend, mint, 3n * milli);
    await chain.sell(friend, mint, await chain.balanceOf(mint, friend));
    await chain.buy(buyer, mint, graduatingAmount);
    const { risk, creatorRecord, holderCount } = await get(`token/${mint}`);
    expect(risk).toMatchObject({ creatorGraduated: false, creatorSoldOut: true, creatorPercent: 0 });
    expect(creatorRecord).toEqual({ tokensCreated: 1, tokensGraduated: 1, tokensSoldOut: 1 });
    expect([holderCount, risk.top10Percent, risk.effectiveHolders]).toEqual([1, 100, 1]);
  });

  test("other tokens with the same symbol are counted, whatever its case", async () => {
    const mints: Address[] = [];
    for (const symbol of ["Twin", " twin", "TWIN", "TWINS"])
      mints.push(await chain.create(creator, "Twin", symbol));
    const counts = await Promise.all(
      mints.map(async (mint) => (await get(`token/${mint}`)).sameSymbolTokens),
    );
    expect(counts).toEqual([2, 2, 2, 0]);
  });

  test("a copy is told from its original: the older one, unless the copy has become much larger", async () => {
    const original = await chain.create(creator, "Flying Heron", "HERON");
    const copy = await chain.create(friend, "Another", "ＨЕR0N\u200b");
    const namesake = await chain.create(friend, "flying  heron!", "FLY");
    const other = await chain.create(friend, "Flying Herons", "HERONS");
    const lookAlikeOf = async (mint: Address) => {
      const { lookAlike } = await get(`token/${mint}`);
      return lookAlike && [lookAlike.mint, lookAlike.reason, ...lookAlike.same];
    };
    const all = async () => {
      const found = [];
      for (const mint of [original, copy, namesake, other]) found.push(await lookAlikeOf(mint));
      return found;
    };
    const [first, second] = [original.toLowerCase(), copy.toLowerCase()];
    expect(await all()).toEqual([null, [first, "older", "symbol"], [first, "older", "name"], null]);

    // On the curve, more purchases don't make a copy the original.
    await chain.buy(buyer, copy, 4n * milli);
    expect((await all()).slice(0, 2)).toEqual([null, [first, "older", "symbol"]]);
    await chain.buy(buyer, copy, graduatingAmount);
    expect((await all()).slice(0, 2)).toEqual([[second, "larger", "symbol"], null]);
    await chain.buy(buyer, original, graduatingAmount);
    expect((await all()).slice(0, 2)).toEqual([null, [first, "older", "symbol"]]);
    expect((await get(`token/${copy}`)).lookAlike).toMatchObject({
      name: "Flying Heron",
      symbol: "HERON",
      graduated: true,
    });
  });

  test("liquidity and the price impact of small buys are given on the curve and on the DEX", async () => {
    const curve = await get(`token/${onCurve}`);
    expect(curve).toMatchObject({ liquidityBnb: "0.013", liquidityUsd: "7.8" });
    const dex = await get(`token/${onDex}`);
    const reserves = await chain.balanceOf(chain.deployment.wbnb, await chain.pairOf(onDex));
    expect(dex.liquidityBnb).toBe(formatEther(reserves));
    for (const [mint, { buyImpacts }] of [
      [onCurve, curve],
      [onDex, dex],
    ] as const) {
      expect(buyImpacts.map(({ amountBnb }: { amountBnb: string }) => amountBnb)).toEqual(["0.01", "0.1"]);
      for (const { amountBnb, priceImpactPercent } of buyImpacts) {
        const quote = await get(`curve/${mint}/quote?side=buy&amount=${parseEther(amountBnb)}`);
        expect([amountBnb, priceImpactPercent]).toEqual([amountBnb, quote.priceImpactPercent]);
        expect(priceImpactPercent).toBeGreaterThan(5);
      }
    }
  });

  /** The wei that a quote gives for selling this amount. */
  const quotedExit = async (mint: string, amount: string) =>
    BigInt((await get(`curve/${mint}/quote?side=sell&amount=${amount}`)).amountOutWei);

  test("the exit values of an account's tokens equal the quotes for selling them", async () => {
    // Gives some tokens away, which take their cost along, rounded down in BNB and in USD.
    await chain.transfer(buyer, onCurve, friend, 10n ** 24n);
    const account = await get(`account/${buyer}?limit=100`);
    const sums = { holdings: 0n, positions: 0n, cost: 0n, costUsd: 0n };
    for (const { mint, balanceRaw, exitBnb, exitUsd, valueBnb } of account.holdings) {
      const exit = await quotedExit(mint, balanceRaw);
      expect([mint, exitBnb, exitUsd]).toEqual([mint, formatEther(exit), formatEther(exit * usd)]);
      expect(exit).toBeLessThan(parseEther(valueBnb));
      sums.holdings += exit;
    }
    for (const position of account.positions) {
      const { mint, openTokensRaw, openCostWei, exitBnb, unrealisedAtExitBnb } = position;
      const exit = openTokensRaw === "0" ? 0n : await quotedExit(mint, openTokensRaw);
      const unrealised = formatEther(exit - BigInt(openCostWei));
      expect([mint, exitBnb, unrealisedAtExitBnb]).toEqual([mint, formatEther(exit), unrealised]);
      const costUsd = parseEther(position.valueUsd) - parseEther(position.unrealisedUsd);
      expect(position.unrealisedAtExitUsd).toBe(formatEther(exit * usd - costUsd));
      const rounded = BigInt(openCostWei) * usd - costUsd;
      expect(rounded >= 0n && rounded < 10n * usd).toBe(true);
      sums.positions += exit;
      sums.cost += BigInt(openCostWei);
      sums.costUsd += costUsd;
    }
    expect(account.holdings.length).toBeGreaterThan(2);
    expect(account.totals).toMatchObject({
      exitBnb: formatEther(sums.holdings),
      exitUsd: formatEther(sums.holdings * usd),
      unrealisedAtExitBnb: formatEther(sums.positions - sums.cost),
      unrealisedAtExitUsd: formatEther(sums.positions * usd - sums.costUsd),
    });
    const wei = await chain.publicClient.getBalance({ address: buyer });
    expect(account).toMatchObject({
      nativeBalanceBnb: formatEther(wei),
      nativeBalanceUsd: formatEther(wei * usd),
    });
    for (const list of ["holdings", "positions"]) {
      expect((await get(`account/${buyer}/${list}?limit=100`))[list]).toEqual(account[list]);
    }
  });

  test("the native balance is as fresh as the trades beside it", async () => {
    for (let round = 0; round < 5; round++) {
      await chain.buy(buyer, onCurve, milli);
      const wei = await chain.publicClient.getBalance({ address: buyer });
      expect((await get(`account/${buyer}`)).nativeBalanceBnb).toBe(formatEther(wei));
    }
  });

  test("the native balance is as of the same block as everything else, however late it is read", async () => {
    const replicaRest = await createRestClient(replica.url);
    await replica.untilIndexed(56, await chain.head());
    // The chain may answer too late on a busy machine.
    const { body, headers } = await until("the account with its balance", async () => {
      gate.hold();
      const asking = replicaRest.get(`/api/account/${buyer}`);
      await until("the balance to be asked for", async () => gate.held("eth_getBalance") > 0);
      await chain.buy(buyer, onCurve, milli);
      gate.open();
      const answer = await asking;
      return answer.body.nativeBalanceBnb !== null && answer;
    });
    const [, block = ""] = headers.get("x-index-block")?.split(":") ?? [];
    const wei = await chain.publicClient.getBalance({ address: buyer, blockNumber: BigInt(block) });
    expect(body.nativeBalanceBnb).toBe(formatEther(wei));
    expect(wei).toBeGreaterThan(await chain.publicClient.getBalance({ address: buyer }));
    expect(body.trades[0].block).toBeLessThanOrEqual(Number(block));
  });

  test("tokens that were received are valued at what selling them brings, and whoever gave them has none", async () => {
    const mint = await chain.create(creator, "Given away", "GIVEN");
    await chain.buy(creator, mint, 5n * milli);
    const bought = await chain.balanceOf(mint, creator);
    await chain.transfer(creator, mint, friend, bought);
    await chain.sell(friend, mint, (bought * 3n) / 4n);
    const [given] = (await get(`account/${creator}/positions?mint=${mint}`)).positions;
    expect(given).toMatchObject({ openTokensRaw: "0", sentRaw: String(bought), exitBnb: "0" });
    const [received] = (await get(`account/${friend}/positions?mint=${mint}`)).positions;
    const left = String(bought - (bought * 3n) / 4n);
    const exitBnb = formatEther(await quotedExit(mint, left));
    expect(received).toMatchObject({ openTokensRaw: left, receivedRaw: String(bought), exitBnb });
  });

  test("without an RPC endpoint everything but the balance is answered, and the balance returns with the endpoint", async () => {
    const replicaRest = await createRestClient(replica.url);
    const ask = async () => (await replicaRest.get(`/api/account/${buyer}?limit=100`)).body;
    gate.close();
    const { nativeBalanceBnb, totals, holdings, positions } = await ask();
    expect([nativeBalanceBnb, totals.exitBnb, totals.unrealisedAtExitBnb]).toEqual([null, null, null]);
    expect(totals).not.toHaveProperty("exitUsd");
    for (const { graduated, exitBnb } of [...holdings, ...positions]) {
      expect([graduated, exitBnb === null]).toEqual([graduated, graduated]);
    }
    const token = await replicaRest.get(`/api/token/${onDex}`);
    expect([token.status, token.body.buyImpacts[0].priceImpactPercent]).toEqual([200, null]);
    gate.open();
    const answered = await until("the endpoint to be asked again", async () => {
      const answer = await ask();
      return answer.nativeBalanceBnb !== null && answer.totals.exitBnb !== null && answer;
    });
    expect(answered).toEqual(await get(`account/${buyer}?limit=100`));
  });
}
