import fc from "fast-check";
import { type Address, type Hex, numberToHex } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { accounts } from "../../chain/anvil.ts";
import { graduatingAmount, type LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { revertReason, sendAsIs, simulateTrade } from "../../chain/quoted-transaction.ts";
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

  /** Makes the trade, and compares its effect with the quote. */
  async function expectAsQuoted(token: Token, trader: Address, quote: Quote): Promise<void> {
    const { chain, mint } = token;
    if (quote.approval) await sendAsIs(chain, trader, quote.approval);
    expect(String(await simulateTrade(chain, trader, quote.transaction))).toBe(
      String(amountsOf(quote).received),
    );

    const [bnbBefore, tokensBefore] = await Promise.all([
      bnbOf(chain, trader),
      chain.balanceOf(mint, trader),
    ]);
    const { gasUsed, effectiveGasPrice } = await sendAsIs(chain, trader, quote.transaction);
    const [bnbAfter, tokensAfter] = await Promise.all([bnbOf(chain, trader), chain.balanceOf(mint, trader)]);
    const bnb = bnbAfter - bnbBefore + gasUsed * effectiveGasPrice;
    const { paid, received } = amountsOf(quote);
    const moved = { bnb, tokens: tokensAfter - tokensBefore };
    expect(moved).toEqual(
      quote.side === "buy"
        ? { bnb: BigInt(quote.refundWei) - paid, tokens: received }
        : { bnb: received, tokens: -paid },
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
  };
  const anyStep: fc.Arbitrary<Step> = fc.record({
    at: fc.nat(7),
    trader: fc.nat(3),
    side: fc.constantFrom<Side[]>("buy", "sell"),
    wei: anyWei,
    millionths: fc.bigInt(1n, 1_000_000n),
    slippage: fc.integer({ min: 0, max: 5_000 }).map((hundredths) => hundredths / 100),
    isSigned: fc.boolean(),
  });

  /** What is always tried: a graduation, then a buy and a sell on the DEX, on each chain; and a sell on the curve. */
  const usualStep = { trader: 1, side: "buy" as Side, wei: 1n, millionths: 1n, slippage: 1, isSigned: false };
  const certainSteps = [
    { at: 2, wei: 2n * graduatingAmount },
    { at: 2, wei: graduatingAmount / 7n },
    { at: 2, side: "sell" as Side, millionths: 400_000n },
    { at: 6, wei: graduatingAmount },
    { at: 6, wei: 10n ** 6n },
    { at: 6, side: "sell" as Side, millionths: 1_000_000n },
    { at: 1, trader: 0, side: "sell" as Side, millionths: 500_000n, isSigned: true },
    { at: 1, trader: 0, side: "sell" as Side, millionths: 1_000_000n },
  ].map((step): [Step] => [{ ...usualStep, ...step }]);

  test("in random states the quote equals what its transaction does, to the wei", async () => {
    const seen = { curve: 0, dex: 0, sells: 0, signed: 0, graduations: 0 };
    await fc.assert(
      fc.asyncProperty(anyStep, async ({ at, trader: which, side: wished, wei, millionths, ...given }) => {
        const { slippage } = given;
        const token = tokens[at] as Token;
        const trader = token.chain.traders[which] as Address;
        const balance = await token.chain.balanceOf(token.mint, trader);
        const part = (balance * millionths) / 1_000_000n;
        const side = wished === "sell" && part > 10n ** 12n ? "sell" : "buy";
        const amount = String(side === "sell" ? part : wei);
        const query = { side, amount, slippage, account: trader };
        const unsigned = await quoteOf(token, query);
        const isSigned = given.isSigned && unsigned.permit !== null && unsigned.permit !== undefined;
        const quote = isSigned
          ? await quoteOf(token, { ...query, ...(await sign(trader, unsigned.permit)) })
          : unsigned;
        expect(isSigned && quote.approval).toBeFalsy();
        const isDex = quote.venue === "dex";
        expect(quote).toMatchObject({ side, slippagePercent: slippage });
        expect(String(amountsOf(quote).paid)).toBe(amount);
        expect(quote.feePercent).toBe(!isDex ? 0 : token.chain === mainnet ? 0.25 : 0.2);
        if (side === "sell") expect(quote.accountBalanceRaw).toBe(String(balance));
        await expectAsQuoted(token, trader, quote);
        seen[isDex ? "dex" : "curve"]++;
        if (side === "sell") seen.sells++;
        if (isSigned) seen.signed++;
        if (quote.graduates) seen.graduations++;
      }),
      { numRuns: sized({ usual: 12, long: 40 }), examples: certainSteps, endOnFailure: true },
    );
    for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0);
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
    mainnet.freeze();
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
