import fc from "fast-check";
import { type Address, encodeFunctionData, type Hex, numberToHex } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { accounts } from "../../chain/anvil.ts";
import { graduatingAmount, type LaunchpadChain } from "../../chain/launchpad-chain.ts";
import {
  type QuotedTransaction,
  revertReason,
  sendAsIs,
  simulateTrade,
} from "../../chain/quoted-transaction.ts";
import { sized } from "../../run/long-run.ts";
import { until } from "../../service/condition.ts";
import type { RestClient } from "../../service/rest-client.ts";
import { retryUntilComplete } from "../../service/retry-until-complete.ts";
import { signAsWallet } from "../../service/sign-as-wallet.ts";
import type { QuotesServed, Token } from "./served.ts";

/*
 * Compares quotes with what the contracts do with the quotes' own transactions, on a chain whose DEX has PancakeSwap V2's fee and
 * on one with PancakeSwap's first version and a price feed.
 */

type Side = "buy" | "sell";
// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document checks what it is.
type Quote = any;

/**
 * How a quoted trade is made: by the quote's own transaction, or, on the curve, by the launchpad's functions for the same trade that name a
 * recipient or the number of tokens to buy.
 */
type Way = "as quoted" | "for somebody" | "exact out";

export function testQuotes(served: () => QuotesServed): void {
  let mainnet: LaunchpadChain;
  let testnet: LaunchpadChain;
  let rest: RestClient;
  let tokens: Token[];

  beforeAll(() => {
    ({ mainnet, testnet, rest, tokens } = served());
  });

  const indexed = (chain: LaunchpadChain) => served().untilIndexed(chain);

  const ask = ({ chain, mint }: Token, query: Record<string, unknown>) =>
    rest.get(
      `/api/curve/${mint}/quote?${new URLSearchParams({ chainId: chain.chainId, ...query } as never)}`,
    );

  /** The amounts of a quote, as integers. */
  const amountsOf = (quote: Quote) => ({
    paid: BigInt(quote.side === "buy" ? quote.amountInWei : quote.amountInRaw),
    received: BigInt(quote.side === "buy" ? quote.amountOutRaw : quote.amountOutWei),
  });

  async function quoteOf(token: Token, query: Record<string, unknown>): Promise<Quote> {
    const { status, body } = await retryUntilComplete(() => ask(token, query));
    expect([status, body.detail]).toEqual([200, undefined]);
    return body;
  }

  const bnbOf = (chain: LaunchpadChain, address: Address) => chain.publicClient.getBalance({ address });

  /** Encodes an amount as a 32-byte word of call data. */
  const encodeWord = (amount: bigint) => numberToHex(amount, { size: 32 }).slice(2);

  /** Gets tokens or BNB that somebody else pays for. */
  const stranger: Address = `0x${"77".repeat(20)}`;

  /** Returns the transaction that makes the quoted trade in this way, with the amount that the quote promises as its limit. */
  function transactionOf({ chain, mint }: Token, quote: Quote, way: Way): QuotedTransaction {
    if (way === "as quoted") return quote.transaction;
    const { paid, received } = amountsOf(quote);
    const deadline = 2n ** 40n;
    const call =
      way === "exact out"
        ? ({ functionName: "buyExactOut", args: [mint, stranger, received, deadline] } as const)
        : quote.side === "buy"
          ? ({ functionName: "buyFor", args: [mint, stranger, received, deadline] } as const)
          : ({ functionName: "sellTo", args: [mint, stranger, paid, received, deadline] } as const);
    const to = chain.deployment.launchpad;
    const data = encodeFunctionData({ abi: launchpadAbi, ...call });
    const value = quote.side === "buy" ? paid : 0n;
    return {
      to,
      data,
      value: String(value),
      rpc: { to, data, value: numberToHex(value), gas: quote.transaction.rpc.gas },
    };
  }

  /** Returns the quote of the least BNB that buys as many tokens: what `buyExactOut` takes for them. */
  async function cheapestFor(token: Token, trader: Address, quote: Quote): Promise<Quote> {
    const { received } = amountsOf(quote);
    const cost = await simulateTrade(token.chain, trader, transactionOf(token, quote, "exact out"));
    const query = { side: "buy", account: trader };
    if (cost > 1n) {
      const { status, body } = await ask(token, { ...query, amount: cost - 1n });
      if (status === 200) expect(BigInt(body.amountOutRaw)).toBeLessThan(received);
      else expect([status, body.code]).toEqual([422, "amount_too_small"]);
    }
    const cheapest = await quoteOf(token, { ...query, amount: cost });
    expect(cheapest).toMatchObject({ amountOutRaw: String(received), refundWei: "0" });
    return cheapest;
  }

  /** Makes the trade, and compares its effect with the quote. */
  async function expectAsQuoted(
    token: Token,
    trader: Address,
    quote: Quote,
    way: Way = "as quoted",
  ): Promise<void> {
    const { chain, mint } = token;
    const { side, approval, refundWei } = quote;
    const { paid, received } = amountsOf(quote);
    const receiver = way === "as quoted" ? trader : stranger;
    const [bnbOwner, tokenOwner] = side === "buy" ? [trader, receiver] : [receiver, trader];
    const transaction = transactionOf(token, quote, way);
    if (approval) await sendAsIs(chain, trader, approval);
    // What `buyExactOut` returns is what it takes.
    expect(await simulateTrade(chain, trader, transaction)).toBe(way === "exact out" ? paid : received);

    const balances = () => Promise.all([bnbOf(chain, bnbOwner), chain.balanceOf(mint, tokenOwner)]);
    const [bnbBefore, tokensBefore] = await balances();
    const { gasUsed, effectiveGasPrice } = await sendAsIs(chain, trader, transaction);
    const [bnbAfter, tokensAfter] = await balances();
    const gasPaid = bnbOwner === trader ? gasUsed * effectiveGasPrice : 0n;
    const moved = { bnb: bnbAfter - bnbBefore + gasPaid, tokens: tokensAfter - tokensBefore };
    expect(moved).toEqual(
      side === "buy" ? { bnb: BigInt(refundWei) - paid, tokens: received } : { bnb: received, tokens: -paid },
    );

    await indexed(chain);
    const { body: after } = await rest.get(`/api/curve/${mint}?chainId=${chain.chainId}`);
    expect(after).toMatchObject({
      priceBnb: quote.priceAfterBnb,
      progress: quote.progressAfterPercent,
      graduated: quote.graduates || quote.venue === "dex",
    });
  }

  /** Signs a permit. Returns the parameters with which the next quote uses it. */
  async function sign(trader: Address, permit: Parameters<typeof signAsWallet>[1]) {
    const account = accounts.find(({ address }) => address === trader);
    if (account === undefined) throw new Error(`${trader} has no key`);
    return { signature: await signAsWallet(account, permit), deadline: permit.message.deadline };
  }

  const anyWei = fc.oneof(
    fc.bigInt(1n, 10n ** 6n),
    fc.bigInt(1n, graduatingAmount / 4n),
    fc.bigInt(1n, 2n * graduatingAmount),
  );
  type Step = {
    at: number;
    trader: number;
    side: Side;
    wei: bigint;
    millionths: bigint;
    slippage: number;
    /** Whether a sell on the curve is approved by signature. */
    isSigned: boolean;
    /** Where the trade can be made in this way. */
    way: Way;
  };
  const anyStep: fc.Arbitrary<Step> = fc.record({
    at: fc.nat(7),
    trader: fc.nat(3),
    side: fc.constantFrom<Side[]>("buy", "sell"),
    wei: anyWei,
    millionths: fc.bigInt(1n, 1_000_000n),
    slippage: fc.integer({ min: 0, max: 5_000 }).map((hundredths) => hundredths / 100),
    isSigned: fc.boolean(),
    way: fc.constantFrom<Way[]>("as quoted", "for somebody", "exact out"),
  });

  /**
   * What is always tried. On each chain: a graduation, then buys and sells on the DEX, of tokens on either side of WBNB in their pairs. On the curve: each
   * way to buy and to sell, and a graduation in each way.
   */
  const usualStep: Step = {
    ...{ at: 0, trader: 1, side: "buy", wei: 1n, millionths: 1n, slippage: 1 },
    ...{ isSigned: false, way: "as quoted" },
  };
  const seller = { trader: 0, side: "sell" as Side };
  const certainSteps = [
    { at: 2, wei: 2n * graduatingAmount },
    { at: 6, wei: graduatingAmount },
    ...[2, 3, 6, 7].flatMap((at) => [
      { at, wei: at === 6 ? 10n ** 6n : graduatingAmount / 7n },
      { at, side: "sell" as Side, millionths: at === 6 ? 1_000_000n : 400_000n },
    ]),
    { ...seller, at: 1, millionths: 500_000n, isSigned: true },
    { ...seller, at: 1, millionths: 500_000n, way: "for somebody" as Way },
    { ...seller, at: 1, millionths: 1_000_000n },
    { at: 0, wei: 1_234_567_890_123_456n },
    { at: 0, wei: 12_345_678_901_234_567n, way: "for somebody" as Way },
    { at: 0, wei: 9_876_543_210_987_654n, way: "exact out" as Way },
    { at: 0, wei: 2n * graduatingAmount, way: "for somebody" as Way },
    { at: 4, wei: 2n * graduatingAmount, way: "exact out" as Way },
  ].map((step): [Step] => [{ ...usualStep, ...step }]);

  test("in random states the quote equals what the trade does, in every way to make it, to the wei", async () => {
    /** How often each kind of trade was made, and its way or the token's place in its pair. */
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(anyStep, async ({ at, trader: which, side: wished, wei, millionths, ...given }) => {
        const { slippage } = given;
        const token = tokens[at] as Token;
        const { chain, mint } = token;
        const trader = chain.traders[which] as Address;
        const balance = await chain.balanceOf(mint, trader);
        const part = (balance * millionths) / 1_000_000n;
        const side = wished === "sell" && part > 10n ** 12n ? "sell" : "buy";
        const amount = String(side === "sell" ? part : wei);
        const query = { side, amount, slippage, account: trader };
        const plain = await quoteOf(token, query);
        const { venue, feePercent } = plain;
        expect(plain).toMatchObject({ side, slippagePercent: slippage });
        expect(String(amountsOf(plain).paid)).toBe(amount);
        expect(feePercent).toBe(venue === "curve" ? 0 : chain === mainnet ? 0.25 : 0.2);
        if (side === "sell") expect(plain.accountBalanceRaw).toBe(String(balance));

        const isSigned = given.isSigned && Boolean(plain.permit);
        const isPossible = venue === "curve" && !isSigned && (side === "buy" || given.way !== "exact out");
        const way = isPossible ? given.way : "as quoted";
        const quote = isSigned
          ? await quoteOf(token, { ...query, ...(await sign(trader, plain.permit)) })
          : way === "exact out"
            ? await cheapestFor(token, trader, plain)
            : plain;
        if (isSigned) expect(quote.approval).toBeNull();
        await expectAsQuoted(token, trader, quote, way);

        const isFirst = BigInt(mint) < BigInt(chain.deployment.wbnb);
        const place = `${chain.chainId}, ${isFirst ? "token0" : "token1"}`;
        const kind = `${quote.graduates ? "graduation" : side} on the ${venue}`;
        const what = `${kind}: ${venue === "dex" ? place : isSigned ? "by permit" : way}`;
        seen.set(what, (seen.get(what) ?? 0) + 1);
      }),
      {
        numRuns: certainSteps.length + sized({ usual: 4, long: 40 }),
        examples: certainSteps,
        endOnFailure: true,
      },
    );
    expect([...seen.keys()].sort()).toEqual(
      [
        ...["buy", "graduation"].flatMap((kind) =>
          ["as quoted", "for somebody", "exact out"].map((way) => `${kind} on the curve: ${way}`),
        ),
        ...["as quoted", "for somebody", "by permit"].map((way) => `sell on the curve: ${way}`),
        ...["buy", "sell"].flatMap((side) =>
          ["56, token0", "56, token1", "97, token0", "97, token1"].map(
            (place) => `${side} on the dex: ${place}`,
          ),
        ),
      ].sort(),
    );
  });

  /** Trades with which other traders interfere, on the curve and on the DEX. */
  describe.each(["curve", "dex"] as const)("on the %s", (venue) => {
    const newToken = async (chain: LaunchpadChain): Promise<Token> => {
      const mint = (await chain.create(chain.traders[0])).toLowerCase() as Address;
      await chain.buy(chain.traders[1], mint, venue === "dex" ? graduatingAmount : graduatingAmount / 5n);
      await indexed(chain);
      return { chain, mint };
    };

    test("an earlier trade by somebody else makes the transaction revert, unless within the slippage", async () => {
      const chain = testnet;
      const token = await newToken(chain);
      const [other, , trader] = chain.traders;
      const amount = String(graduatingAmount / 10n);
      const ask = { side: "buy", amount, account: trader };
      const [tight, byDefault, wide] = await Promise.all(
        [{ slippage: 0 }, {}, { slippage: 50 }].map((slippage) => quoteOf(token, { ...ask, ...slippage })),
      );
      expect(byDefault.slippagePercent).toBe(1);
      for (const quote of [tight, byDefault, wide]) {
        expect(await simulateTrade(chain, trader, quote.transaction)).toBe(amountsOf(quote).received);
      }

      const refused = venue === "dex" ? "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT" : "InsufficientOutput";
      const tradeFirst = venue === "dex" ? chain.buyOnDex : chain.buy;
      await tradeFirst(other, token.mint, graduatingAmount / 10_000n);
      expect(await revertReason(chain, trader, tight.transaction)).toBe(refused);
      expect(await revertReason(chain, trader, byDefault.transaction)).toBeUndefined();

      await tradeFirst(other, token.mint, graduatingAmount / 10n);
      expect(await revertReason(chain, trader, byDefault.transaction)).toBe(refused);
      expect(await revertReason(chain, trader, wide.transaction)).toBeUndefined();
    });

    test("an account that can't make the trade is told why, exactly where the chain would revert it", async () => {
      const token = await newToken(mainnet);
      const [, seller] = mainnet.traders;
      const codes = async (query: Record<string, unknown>) => {
        const { warnings } = await quoteOf(token, query);
        return warnings.map(({ code }: { code: string }) => code);
      };
      const balance = await bnbOf(mainnet, seller);
      const buy = { side: "buy", account: seller };
      expect(await codes({ side: "buy", amount: balance + 1n })).toEqual([]);
      expect(await codes({ ...buy, amount: balance })).toEqual([]);
      expect(await codes({ ...buy, amount: balance + 1n })).toEqual(["balance_too_low"]);

      const held = await mainnet.balanceOf(token.mint, seller);
      const stranger = `0x${"77".repeat(20)}`;
      expect(await codes({ side: "sell", amount: held, account: stranger })).toEqual([
        "balance_too_low",
        "allowance_too_low",
      ]);
      const sell = { side: "sell", amount: held, account: seller };
      expect(await codes(sell)).toEqual(["allowance_too_low"]);
      await sendAsIs(mainnet, seller, (await quoteOf(token, sell)).approval);
      expect(await codes(sell)).toEqual([]);
      const approved = await quoteOf(token, sell);
      expect(await revertReason(mainnet, seller, approved.transaction)).toBeUndefined();
    });

    test("the limit is exact: with one unit more the transaction would revert", async () => {
      const token = await newToken(mainnet);
      const trader = mainnet.traders[2];
      const quote = await quoteOf(token, {
        side: "buy",
        amount: "1234567",
        account: trader,
        slippage: 0,
      });
      expect(quote.minAmountOutRaw).toBe(quote.amountOutRaw);
      expect(await revertReason(mainnet, trader, quote.transaction)).toBeUndefined();
      const amountOut = BigInt(quote.amountOutRaw);
      const data = quote.transaction.data.replace(encodeWord(amountOut), encodeWord(amountOut + 1n));
      expect(data).not.toBe(quote.transaction.data);
      expect(await revertReason(mainnet, trader, { ...quote.transaction, data })).toMatch(
        /insufficient.?output/i,
      );
    });

    test("a sell needs the approval that comes with it, which approves no more than needed", async () => {
      const token = await newToken(mainnet);
      const seller = mainnet.traders[1];
      const amount = String((await mainnet.balanceOf(token.mint, seller)) / 3n);
      const quote = await quoteOf(token, { side: "sell", amount, account: seller });
      expect(quote).toMatchObject({
        refundWei: "0",
        graduates: false,
        transaction: { value: "0", chainId: 56 },
      });
      const spender = venue === "dex" ? mainnet.deployment.router : mainnet.deployment.launchpad;
      expect(quote.approval).toMatchObject({ to: token.mint, value: "0", chainId: 56 });
      expect(quote.approval.spender).toBe(spender.toLowerCase());
      expect(quote.transaction.to).toBe(spender.toLowerCase());
      expect(await revertReason(mainnet, seller, quote.transaction)).toMatch(
        /allowance|TRANSFER_FROM_FAILED/i,
      );
      await expectAsQuoted(token, seller, quote);
      const left = { address: token.mint, abi: launchTokenAbi, functionName: "allowance" } as const;
      expect(await mainnet.publicClient.readContract({ ...left, args: [seller, spender] })).toBe(0n);
    });

    test("a trade that yields less than a wei is refused, exactly where the contract begins to refuse it", async () => {
      const token = await newToken(mainnet);
      const seller = mainnet.traders[1];
      let tooSmall = 1n;
      for (let step = 1n << 35n; step > 0n; step >>= 1n) {
        const { status, body } = await ask(token, { side: "sell", amount: tooSmall + step });
        if (status === 200) continue;
        expect([status, body.code, body.errors[0].path]).toEqual([422, "amount_too_small", "amount"]);
        tooSmall += step;
      }
      const enough = await quoteOf(token, { side: "sell", amount: tooSmall + 1n, account: seller });
      await sendAsIs(mainnet, seller, enough.approval);
      expect(await simulateTrade(mainnet, seller, enough.transaction)).toBe(1n);
      const data = enough.transaction.data.replace(encodeWord(tooSmall + 1n), encodeWord(tooSmall));
      expect(await revertReason(mainnet, seller, { ...enough.transaction, data })).toMatch(
        /ZeroOutput|INSUFFICIENT_OUTPUT_AMOUNT/,
      );
    });

    test("more than the account holds, or anyone could hold, is refused", async () => {
      const token = await newToken(mainnet);
      const seller = mainnet.traders[1];
      const all = await mainnet.balanceOf(token.mint, seller);
      const sold = await quoteOf(token, { side: "sell", amount: String(all), account: seller });
      expect(sold.accountBalanceRaw).toBe(String(all));
      const large = await ask(token, { side: "sell", amount: String(all + 1n) });
      expect([large.status, large.body.code]).toEqual([422, "amount_too_large"]);
      expect(large.body.errors).toEqual([{ path: "amount", message: expect.stringContaining(String(all)) }]);
      for (const [side, amount, code] of [
        ["sell", 2n ** 256n - 1n, "amount_too_large"],
        ["buy", 2n ** 256n - 1n, venue === "dex" ? "amount_too_large" : undefined],
      ] as const) {
        expect((await ask(token, { side, amount })).body.code).toBe(code);
      }
    });
  });

  test("a buy that is far too large takes what is left and has the rest refunded", async () => {
    const mint = (await mainnet.create(mainnet.traders[0])).toLowerCase() as Address;
    await indexed(mainnet);
    const token = { chain: mainnet, mint };
    const amount = graduatingAmount * 1_000n;
    const quote = await quoteOf(token, { side: "buy", amount, slippage: 0.01 });
    expect(quote).toMatchObject({
      venue: "curve",
      refundWei: String(amount - graduatingAmount),
      graduates: true,
      graduationExit: { beforeBnb: "0.05", afterBnb: "0.03" },
      progressAfterPercent: 100,
      // 3/5 of half the supply, out of 9/5 at 0.1 BNB: from 1/9 to 1/4 of 10^-9 BNB.
      amountOutRaw: String(3n * 10n ** 26n),
      averagePriceBnb: "0.000000000166666666666666666666666666",
      priceBnb: "0.000000000111111111111111111111111111",
      priceAfterBnb: "0.00000000025",
      priceImpactPercent: 33.3333,
      feePercent: 0,
      minAmountOutRaw: String(29_997n * 10n ** 22n),
    });
    await expectAsQuoted(token, mainnet.traders[2], quote);
    expect(await quoteOf(token, { side: "buy", amount: 1 })).toMatchObject({
      venue: "dex",
      priceBnb: quote.priceAfterBnb,
      transaction: null,
      approval: null,
      feePercent: 0.25,
      hint: expect.stringContaining("account"),
    });
  });

  test("a quoted buy has enough gas if the buys of others make it the one that graduates the token", async () => {
    for (const chain of [mainnet, testnet]) {
      const [creator, rival, trader] = chain.traders;
      const mint = (await chain.create(creator)).toLowerCase() as Address;
      await chain.buy(rival, mint, graduatingAmount / 2n);
      await indexed(chain);
      const terms = { side: "buy", amount: graduatingAmount / 50n, account: trader, slippage: 45 };
      const quote = await quoteOf({ chain, mint }, terms);
      expect(quote).toMatchObject({ graduates: false, warnings: [] });
      const { to, data, value } = quote.transaction;
      const call = { account: trader, to, data, value: BigInt(value) };
      const estimate = await chain.publicClient.estimateGas(call);

      await chain.buy(rival, mint, graduatingAmount / 2n - 1n);
      const { gasUsed } = await sendAsIs(chain, trader, quote.transaction);
      expect(await revertReason(chain, trader, quote.transaction)).toBe("AlreadyGraduated");
      // What wallets add to an estimate is not enough.
      expect(gasUsed * 2n).toBeGreaterThan(estimate * 3n);
    }
  });

  test("an approval and its sale can be sent at once, since neither has to be estimated", async () => {
    const chain = mainnet;
    const [creator, , trader] = chain.traders;
    const mint = (await chain.create(creator)).toLowerCase() as Address;
    await chain.buy(trader, mint, graduatingAmount / 4n);
    await indexed(chain);
    const amount = await chain.balanceOf(mint, trader);
    const { approval, transaction } = await quoteOf(
      { chain, mint },
      { side: "sell", amount, account: trader },
    );
    await chain.testClient.setAutomine(false);
    try {
      const hashes: Hex[] = [];
      for (const { rpc } of [approval, transaction]) {
        const sent = { method: "eth_sendTransaction", params: [{ ...rpc, from: trader }] } as never;
        hashes.push(await chain.testClient.request(sent));
      }
      await chain.testClient.mine({ blocks: 1 });
      for (const hash of hashes) {
        expect((await chain.publicClient.getTransactionReceipt({ hash })).status).toBe("success");
      }
    } finally {
      await chain.testClient.setAutomine(true);
    }
    expect(await chain.balanceOf(mint, trader)).toBe(0n);
  });

  test("without an answer from the chain a quote says that the account was not checked", async () => {
    const token = tokens[0] as Token;
    // An account not asked for before, since balances are cached for a second.
    const query = { side: "buy", amount: 1_000_000, account: mainnet.traders[6] as Address };
    await mainnet.freeze();
    try {
      const { warnings, transaction } = (await ask(token, query)).body;
      expect(warnings).toEqual([{ code: "account_not_checked", message: expect.stringMatching(/RPC/) }]);
      expect(transaction.rpc).toEqual({
        from: query.account.toLowerCase(),
        to: transaction.to,
        data: transaction.data,
        value: "0xf4240",
        gas: `0x${transaction.gas.toString(16)}`,
        chainId: "0x38",
      });
    } finally {
      mainnet.thaw();
    }
  });

  test("amounts are in USD where the chain has a price feed, and not elsewhere", async () => {
    const [withFeed, without] = [testnet, mainnet].map(
      (chain) => tokens.filter((token) => token.chain === chain)[0],
    );
    const query = { side: "buy", amount: 10n ** 15n };
    const quote = await quoteOf(withFeed as Token, query);
    const inUsd = (bnb: string) => Number(bnb) * 612.5;
    expect(Number(quote.amountUsd)).toBeCloseTo(
      inUsd(String(Number(BigInt(quote.amountInWei) - BigInt(quote.refundWei)) / 1e18)),
      9,
    );
    for (const price of ["price", "averagePrice", "priceAfter"]) {
      expect(Number(quote[`${price}Usd`]) / inUsd(quote[`${price}Bnb`])).toBeCloseTo(1, 9);
    }
    const fields = Object.keys(await quoteOf(without as Token, query));
    expect(fields.filter((field) => field.endsWith("Usd"))).toEqual([]);
  });

  test("the transaction contains the deadline, by default 20 minutes from now", async () => {
    const token = tokens[0] as Token;
    const account = mainnet.traders[2];
    const query = { side: "buy", amount: 1_000_000, account };
    const started = Math.floor(Date.now() / 1_000);
    const { timestamp } = await mainnet.publicClient.getBlock();
    const { deadline } = await quoteOf(token, query);
    expect(deadline).toBeGreaterThanOrEqual(Math.max(started, Number(timestamp)) + 1_200);
    const given = await quoteOf(token, { ...query, deadline: 4_000_000_000 });
    expect(given.deadline).toBe(4_000_000_000);
    expect(given.transaction.data).toContain(encodeWord(4_000_000_000n));
    const over = await ask(token, { ...query, deadline: Number(timestamp) - 1 });
    expect([over.status, over.body.errors[0].path]).toEqual([400, "deadline"]);
    // With a fixed deadline the same state gives the same answer.
    await until("the same answer", async () => {
      const same = await ask(token, { ...query, deadline: 4_000_000_000 });
      const again = await rest.get(
        `/api/curve/${token.mint}/quote?side=buy&amount=1000000&account=${account}&deadline=4000000000`,
        { "If-None-Match": same.headers.get("etag") ?? "" },
      );
      return again.status === 304;
    });
  });

  test("on the DEX, an account that can't receive the proceeds is refused", async () => {
    const token = tokens[7] as Token;
    const { body } = await rest.get(`/api/curve/${token.mint}?chainId=97`);
    const { wbnb, router, launchpad } = testnet.deployment;
    for (const account of [token.mint, body.pair, wbnb, router, launchpad, `0x${"0".repeat(40)}`]) {
      for (const side of ["buy", "sell"]) {
        const refused = await ask(token, { side, amount: 10n ** 15n, account });
        expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, "account"]);
      }
    }
  });

  test("an unknown token: 404", async () => {
    const unknown = await rest.get(`/api/curve/0x${"12".repeat(20)}/quote?side=buy&amount=1`);
    expect([unknown.status, unknown.body.code]).toEqual([404, "token_not_found"]);
  });
}
