import { type Address, formatUnits, parseUnits } from "viem";
import { beforeAll, expect, test } from "vitest";
import { day } from "../../chain/recorded-market.ts";
import { averageCost, inUsd, isoOf, parsePrice } from "../../reference-market/market-terms.ts";
import { retryUntilComplete } from "../../service/retry-until-complete.ts";
import type { ServedMarket } from "../../service/served-market.ts";

const unknown = `0x${"12".repeat(20)}`;

/** Compares accounts with the chain's own receipts. */
export function testAccounts(served: () => ServedMarket): void {
  let market: ServedMarket["market"];
  let mainnet: ServedMarket["mainnet"];
  let testnet: ServedMarket["testnet"];
  let service: ServedMarket["service"];
  let rest: ServedMarket["rest"];
  /** `token` was traded on curve and DEX, `idle` never. */
  let token: Address;
  let idle: Address;

  beforeAll(() => {
    ({ market, mainnet, testnet, service, rest } = served());
    ({ token, idle } = market);
  });

  const accountOf = async (address: string, query = "") =>
    (await retryUntilComplete(() => rest.get(`/api/account/${address}${query}`))).body;

  test("an account has its holdings, created tokens, trades and results", async () => {
    const [creator] = mainnet.traders;
    const account = await accountOf(creator);
    const balance = await mainnet.balanceOf(token, creator);
    const { priceBnb, priceUsd, ...curve } = (await rest.get(`/api/curve/${token}`)).body;
    const own = market.made.filter(({ trader }) => trader.toLowerCase() === creator.toLowerCase());
    const result = averageCost(own);
    const value = (tokens: bigint) => (tokens * parsePrice(priceBnb)) / 10n ** 36n;
    const worth = {
      valueBnb: formatUnits(value(balance), 18),
      valueUsd: formatUnits(value(balance) * 700n, 18),
    };
    const sum = (side: string, key: "bnb" | "tokens") =>
      own.filter((trade) => trade.side === side).reduce((total, trade) => total + trade[key], 0n);
    const totals = {
      buys: 2,
      sells: 2,
      bnbSpentWei: String(sum("buy", "bnb")),
      bnbReceivedWei: String(sum("sell", "bnb")),
      realisedBnb: formatUnits(result.realised, 18),
      unrealisedBnb: formatUnits(value(result.open) - result.cost, 18),
    };
    const named = { mint: token.toLowerCase(), name: "Charted", symbol: "CHART", graduated: true };
    const priced = { ...named, priceBnb, priceUsd: inUsd(priceBnb, 700n) };
    expect(account).toMatchObject({
      address: creator.toLowerCase(),
      chainId: 56,
      firstSeenAt: isoOf(day + 30),
      creatorRecord: { tokensCreated: 2, tokensGraduated: 1, tokensSoldOut: 0 },
      totals: { holdings: 1, positions: 1, ...totals, ...worth },
      holdings: [{ ...priced, balanceRaw: String(balance), ...worth, percent: expect.any(Number) }],
      positions: [
        {
          ...priced,
          ...totals,
          tokensBoughtRaw: String(sum("buy", "tokens")),
          tokensSoldRaw: String(sum("sell", "tokens")),
          openTokensRaw: String(result.open),
          openCostWei: String(result.cost),
          valueBnb: formatUnits(value(result.open), 18),
          valueUsd: formatUnits(value(result.open) * 700n, 18),
          firstTradeAt: isoOf(day + 40),
        },
      ],
      nextCursor: { holdings: null, createdTokens: null, positions: null, trades: null },
    });
    expect(priceUsd).toBe(priced.priceUsd);
    const { marketCapUsd } = (await rest.get(`/api/token/${token}`)).body;
    expect(account.createdTokens).toMatchObject([
      {
        mint: idle.toLowerCase(),
        name: "Idle",
        progress: 0,
        graduated: false,
        pair: null,
        holderCount: 0,
        realisedBnb: "0",
      },
      {
        ...priced,
        marketCapUsd,
        burnPercent: 40,
        createdAt: isoOf(day + 30),
        progress: 100,
        pair: curve.pair,
        realisedBnb: totals.realisedBnb,
      },
    ]);
    expect(account.trades).toEqual((await rest.get(`/api/trades?trader=${creator}`)).body.trades);
  });

  test("an account's days add up to its results, and end today", async () => {
    const [creator] = mainnet.traders;
    const { totals } = await accountOf(creator);
    const { body } = await rest.get(`/api/account/${creator}/days?days=365`);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const wei = body.days.map(({ realisedBnb }: { realisedBnb: string }) => parseUnits(realisedBnb, 18));
    expect(
      formatUnits(
        wei.reduce((total: bigint, value: bigint) => total + value, 0n),
        18,
      ),
    ).toBe(totals.realisedBnb);
    for (const side of ["buys", "sells"] as const) {
      expect(sum(body.days.map((day: Record<string, number>) => day[side]))).toBe(totals[side]);
    }
    // It traded on one day, and the days before and after are there as well.
    expect(body.days.filter(({ buys }: { buys: number }) => buys > 0)).toHaveLength(1);
    expect(body.days).toHaveLength(365);
    const { timestamp } = await mainnet.publicClient.getBlock();
    expect(body.days.at(-1).day).toBe(new Date(Number(timestamp) * 1_000).toISOString().slice(0, 10));
    const [last] = (await rest.get(`/api/account/${creator}/days?days=1`)).body.days;
    expect(last).toEqual(body.days.at(-1));
    expect((await rest.get(`/api/account/${creator}/days?days=366`)).status).toBe(400);
  });

  test("an unknown account is empty, not an error", async () => {
    const nothing = { holdings: 0, positions: 0, buys: 0, sells: 0, bnbSpentWei: "0", bnbReceivedWei: "0" };
    expect(await accountOf(unknown)).toEqual({
      address: unknown,
      chainId: 56,
      firstSeenAt: null,
      nativeBalanceBnb: "0",
      nativeBalanceUsd: "0",
      totals: {
        ...nothing,
        realisedBnb: "0",
        unrealisedBnb: "0",
        valueBnb: "0",
        spentUsd: "0",
        receivedUsd: "0",
        realisedUsd: "0",
        unrealisedUsd: "0",
        valueUsd: "0",
        exitBnb: "0",
        exitUsd: "0",
        unrealisedAtExitBnb: "0",
        unrealisedAtExitUsd: "0",
      },
      creatorRecord: { tokensCreated: 0, tokensGraduated: 0, tokensSoldOut: 0 },
      holdings: [],
      createdTokens: [],
      positions: [],
      trades: [],
      nextCursor: { holdings: null, createdTokens: null, positions: null, trades: null },
    });
  });

  test("without a price feed there are no USD values", async () => {
    const account = await accountOf(testnet.traders[1], "?chainId=97");
    const { totals, holdings, positions, createdTokens, trades } = account;
    expect([holdings, createdTokens].map(({ length }) => length)).toEqual([1, 1]);
    for (const part of [totals, ...holdings, ...positions, ...createdTokens, ...trades]) {
      expect(Object.keys(part).filter((name) => name.endsWith("Usd"))).toEqual([]);
    }
  });

  test("everything beyond the first page can be reached", async () => {
    const [, , collector] = mainnet.traders;
    const mints: Address[] = [];
    for (const index of [1, 2, 3, 4, 5]) {
      mints.push(await mainnet.create(collector, `Token ${index}`, `T${index}`));
    }
    for (const [at, mint] of mints.entries()) {
      const index = at + 1;
      await market.nextSecond();
      await mainnet.buy(collector, mint, 10n ** 14n * BigInt(index));
    }
    await service.indexer.untilIndexed(56, await mainnet.head());
    const whole = await accountOf(collector, "?limit=100");
    const first = await accountOf(collector, "?limit=2");
    expect(first.totals).toEqual(whole.totals);
    const sections = [
      ["holdings", `/api/account/${collector}/holdings?`],
      ["positions", `/api/account/${collector}/positions?`],
      ["createdTokens", `/api/account/${collector}/created-tokens?`],
      ["trades", `/api/trades?trader=${collector}&`],
    ] as const;
    for (const [name, path] of sections) {
      expect(whole[name]).toHaveLength(5);
      const paged = [...first[name]];
      let cursor = first.nextCursor[name];
      while (cursor !== null) {
        const { status, body } = await rest.get(`${path}limit=2&cursor=${cursor}`);
        expect(status).toBe(200);
        paged.push(...body[name]);
        cursor = body.nextCursor;
      }
      expect(paged).toEqual(whole[name]);
    }
    // The rows of a single token, with the totals of all.
    const [, second] = mints;
    const ofSecond = await accountOf(collector, `?mint=${second}`);
    expect(ofSecond.totals).toEqual(whole.totals);
    for (const [name, path] of sections) {
      const { body } = await rest.get(`${path}mint=${second}`);
      expect(body[name]).toEqual([whole[name][3]]);
      expect([ofSecond[name], ofSecond.nextCursor[name]]).toEqual([body[name], null]);
      const ofAll = await rest.get(`${path}mint=${second}&cursor=${first.nextCursor[name]}`);
      expect([ofAll.status, ofAll.body.errors[0].path]).toEqual([400, "cursor"]);
    }
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    const descending = [5, 4, 3, 2, 1].map((index) => `Token ${index}`);
    for (const name of ["holdings", "positions", "createdTokens"]) {
      expect(names(whole[name])).toEqual(descending);
    }
    expect(whole.creatorRecord.tokensCreated).toBe(5);
  });

  test("a creator who sells their whole holding of a token has sold out", async () => {
    const [, , collector] = mainnet.traders;
    const [last] = (await accountOf(collector)).createdTokens;
    await mainnet.sell(collector, last.mint, await mainnet.balanceOf(last.mint, collector));
    await service.indexer.untilIndexed(56, await mainnet.head());
    const account = await accountOf(collector);
    expect(account.creatorRecord).toMatchObject({ tokensSoldOut: 1 });
    expect(account.holdings.map(({ mint }: { mint: string }) => mint)).not.toContain(last.mint);
    // Rounding favours the pool: a wei is lost.
    expect(account.positions[0]).toMatchObject({
      mint: last.mint,
      openTokensRaw: "0",
      openCostWei: "0",
      valueBnb: "0",
    });
    expect(account.positions[0].realisedBnb).toMatch(/^-0\.0{16}\d+$/);
  });

  test("tokens that were only received come after those that were traded, with what they cost the sender", async () => {
    const [, , collector] = mainnet.traders;
    const receiver = `0x${"7ece".repeat(10)}` as const;
    const before = await accountOf(collector, "?limit=100");
    const mints: Address[] = before.createdTokens.slice(2).map((row: { mint: Address }) => row.mint);
    expect(mints).toHaveLength(3);
    const sent = new Map<string, bigint>();
    for (const mint of mints) {
      sent.set(mint, (await mainnet.balanceOf(mint, collector)) / 3n);
      await mainnet.transfer(collector, mint, receiver, sent.get(mint) ?? 0n);
    }
    await service.indexer.untilIndexed(56, await mainnet.head());
    const after = await accountOf(collector, "?limit=100");
    const account = await accountOf(receiver, "?limit=100");
    expect(account.totals).toMatchObject({ positions: 3, buys: 0, sells: 0, realisedBnb: "0" });
    expect(account.trades).toEqual([]);
    expect(account.positions.map((row: { mint: Address }) => row.mint)).toEqual(mints.toSorted().reverse());
    for (const { mint, ...position } of account.positions) {
      const of = ({ positions }: { positions: { mint: string }[] }) =>
        positions.find((row) => row.mint === mint) as unknown as Record<string, string>;
      const tokens = String(sent.get(mint));
      const { openCostWei: openBefore = "" } = of(before);
      const { sentRaw, sentCostWei = "", openCostWei = "", realisedBnb } = of(after);
      expect([sentRaw, realisedBnb]).toEqual([tokens, of(before).realisedBnb]);
      expect(BigInt(sentCostWei)).toBeGreaterThan(0n);
      expect(BigInt(openBefore) - BigInt(openCostWei)).toBe(BigInt(sentCostWei));
      expect(position).toMatchObject({
        receivedRaw: tokens,
        receivedCostWei: sentCostWei,
        openTokensRaw: tokens,
        openCostWei: sentCostWei,
        firstTradeAt: null,
        lastTradeAt: null,
        buys: 0,
        spentUsd: "0",
      });
      const { trades } = (await rest.get(`/api/trades?mint=${mint}&trader=${receiver}`)).body;
      expect(trades).toEqual([]);
    }
    for (const [of, all] of [
      [receiver, account.positions],
      [collector, after.positions],
    ]) {
      const paged = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const path: string = `/api/account/${of}/positions?limit=2${cursor && `&cursor=${cursor}`}`;
        const { body } = await rest.get(path);
        paged.push(...body.positions);
        cursor = body.nextCursor;
      }
      expect(paged).toEqual(all);
    }
  });

  test.each(["0x12", "abc"])("%s is not an account: 400", async (address) => {
    for (const path of ["", "/holdings", "/positions", "/created-tokens"]) {
      const { status, body } = await rest.get(`/api/account/${address}${path}`);
      expect([status, body.errors[0].path]).toEqual([400, "address"]);
    }
  });

  test("a cursor of another list is refused", async () => {
    const [, , collector] = mainnet.traders;
    const { nextCursor } = await accountOf(collector, "?limit=1");
    const lists = {
      holdings: `/api/account/${collector}/holdings?`,
      createdTokens: `/api/account/${collector}/created-tokens?`,
      positions: `/api/account/${collector}/positions?`,
      trades: `/api/trades?trader=${collector}&`,
    };
    for (const [list, path] of Object.entries(lists)) {
      for (const [name, cursor] of Object.entries(nextCursor)) {
        const { status, body } = await rest.get(`${path}cursor=${cursor}`);
        expect([list, name, status, body.errors?.[0].path]).toEqual(
          list === name ? [list, name, 200, undefined] : [list, name, 400, "cursor"],
        );
      }
    }
  });
}
