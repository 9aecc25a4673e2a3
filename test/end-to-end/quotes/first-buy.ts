import fc from "fast-check";
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseEventLogs,
  zeroAddress,
} from "viem";
import { beforeAll, expect, test } from "vitest";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { graduatingAmount, type LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { type QuotedTransaction, revertReason, sendAsIs } from "../../chain/quoted-transaction.ts";
import { sized } from "../../run/long-run.ts";
import type { RestClient } from "../../service/rest-client.ts";
import { retryUntilComplete } from "../../service/retry-until-complete.ts";
import type { Service } from "../../service/service.ts";
import type { QuotesServed } from "./served.ts";

/** Of createTokenAndBuy: name, symbol, burnPercent, salt, minTokensOut. */
type FirstBuyArguments = [string, string, number, Hex, bigint];

/* Compares quotes of a first buy with what the contracts do with the quotes' own transactions. */

export function testFirstBuys(served: () => QuotesServed): void {
  /** The chain with a price feed. */
  let chain: LaunchpadChain;
  let service: Service;
  let rest: RestClient;

  beforeAll(() => {
    ({ testnet: chain, service, rest } = served());
  });

  const bnbOf = (address: Address) => chain.publicClient.getBalance({ address });
  const ask = (query: Record<string, unknown>) =>
    rest.get(`/api/first-buy/quote?${new URLSearchParams({ chainId: chain.chainId, ...query } as never)}`);

  async function quoteOf(query: Record<string, unknown>) {
    const { status, body } = await retryUntilComplete(() => ask(query));
    expect([status, body.detail]).toEqual([200, undefined]);
    return body;
  }

  /** Bound to the trader, or to nobody. */
  const anySalt = fc
    .tuple(fc.boolean(), fc.uint8Array({ minLength: 12, maxLength: 12 }))
    .map(
      ([isBound, bytes]) =>
        `${isBound ? chain.traders[1] : zeroAddress}${Buffer.from(bytes).toString("hex")}`,
    );
  const anyWei = fc.oneof(fc.bigInt(1n, 10n ** 6n), fc.bigInt(1n, 3n * graduatingAmount));

  test("an unreachable chain is needed only for values that are not cached", async () => {
    await quoteOf({ burnPercent: 64, amount: 1 });
    await chain.freeze();
    try {
      await quoteOf({ burnPercent: 64, amount: 2 });
      const { status, body } = await ask({ burnPercent: 65, amount: 1 });
      expect([status, body.code]).toEqual([503, "chain_unavailable"]);
    } finally {
      chain.thaw();
    }
    await quoteOf({ burnPercent: 65, amount: 1 });
  });

  test("the quote equals what its transaction does, to the wei, for any burnPercent and amount", async () => {
    const trader = chain.traders[1];
    let graduations = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 30, max: 70 }),
        anyWei,
        fc.option(anySalt, { nil: undefined }),
        fc.boolean(),
        async (burnPercent, amount, salt, isForSomebody) => {
          const named = { name: "Ōtter & Söhne", symbol: "ÖTT", ...(salt && { salt }) };
          const quote = await quoteOf({ burnPercent, amount, ...named, account: trader });
          expect(quote).toMatchObject({ burnPercent, amountInWei: String(amount), warnings: [] });

          const before = await bnbOf(trader);
          const recipient: Address = isForSomebody ? `0x${"77".repeat(20)}` : trader;
          const transaction = isForSomebody ? asCreateFor(quote.transaction, recipient) : quote.transaction;
          const receipt = await sendAsIs(chain, trader, transaction);
          const [created] = parseEventLogs({
            abi: tokenFactoryAbi,
            eventName: "TokenCreated",
            logs: receipt.logs,
          });
          const mint = created?.args.token as Address;
          expect(created?.args).toMatchObject({
            creator: trader,
            name: named.name,
            symbol: named.symbol,
            burnPercent,
          });
          expect(String(await chain.balanceOf(mint, recipient))).toBe(quote.amountOutRaw);
          const paid = before - (await bnbOf(trader)) - receipt.gasUsed * receipt.effectiveGasPrice;
          expect(paid).toBe(amount - BigInt(quote.refundWei));

          await service.indexer.untilIndexed(97, await chain.head());
          const { body: curve } = await rest.get(`/api/curve/${mint}?chainId=97`);
          expect(curve).toMatchObject({
            priceBnb: quote.priceAfterBnb,
            progress: quote.progressAfterPercent,
            graduated: quote.graduates,
          });
          if (quote.graduates) graduations += 1;
        },
      ),
      {
        numRuns: sized({ usual: 6, long: 25 }),
        // One that doesn't graduate and one that does are always tried, for oneself and for somebody else.
        examples: [
          [30, graduatingAmount - 1n, undefined, false],
          [70, 2n * graduatingAmount, `${zeroAddress}${"5a".repeat(12)}`, false],
          [45, 3n * graduatingAmount, undefined, true],
          [55, graduatingAmount / 3n, `${zeroAddress}${"5b".repeat(12)}`, true],
        ],
        endOnFailure: true,
      },
    );
    expect(graduations).toBeGreaterThan(0);
    await service.expectIndexEqualsChain();
  });

  /** The same creation and first buy, of which somebody else gets the tokens. */
  function asCreateFor(transaction: QuotedTransaction, recipient: Address): QuotedTransaction {
    const { args } = decodeFunctionData({ abi: tokenFactoryAbi, data: transaction.data });
    const data = encodeFunctionData({
      abi: tokenFactoryAbi,
      functionName: "createFor",
      args: [...(args as FirstBuyArguments), recipient],
    });
    return { ...transaction, data, rpc: { ...transaction.rpc, data } };
  }

  test("its limit is exact: with one base unit more the transaction would revert", async () => {
    for (const amount of [
      123_456_789n,
      graduatingAmount - 1n,
      graduatingAmount,
      3n * graduatingAmount + 1n,
    ]) {
      const { minTokensOutRaw, transaction } = await quoteOf({
        burnPercent: 37,
        amount,
        name: "A",
        symbol: "B",
      });
      expect(await revertReason(chain, chain.traders[0], transaction)).toBeUndefined();
      const { args } = decodeFunctionData({ abi: tokenFactoryAbi, data: transaction.data });
      expect(String(args?.[4])).toBe(minTokensOutRaw);
      const data = encodeFunctionData({
        abi: tokenFactoryAbi,
        functionName: "createTokenAndBuy",
        args: ["A", "B", 37, args?.[3] as `0x${string}`, BigInt(minTokensOutRaw) + 1n],
      });
      expect(await revertReason(chain, chain.traders[0], { ...transaction, data })).toBe(
        "InsufficientOutput",
      );
    }
  });

  test("without a name there is a hint instead of the transaction, and the amounts are the same", async () => {
    const amount = 2n * graduatingAmount;
    expect(await quoteOf({ burnPercent: 50, amount })).toEqual({
      chainId: 97,
      burnPercent: 50,
      amountInWei: String(amount),
      refundWei: String(graduatingAmount),
      amountOutRaw: String(3n * 10n ** 26n),
      minTokensOutRaw: String(6n * 10n ** 26n),
      priceBnb: "0.000000000111111111111111111111111111",
      priceAfterBnb: "0.00000000025",
      averagePriceBnb: "0.000000000166666666666666666666666666",
      priceImpactPercent: 33.3333,
      amountUsd: "30.625",
      priceAfterUsd: "0.000000153125",
      progressAfterPercent: 100,
      graduates: true,
      priceUsd: expect.stringMatching(/^0\.000000068/),
      averagePriceUsd: expect.stringMatching(/^0\.000000102/),
      warnings: [],
      transaction: null,
      hint: expect.stringContaining("name and symbol"),
    });
  });

  test("an account with too little BNB is told so", async () => {
    const account = `0x${"77".repeat(20)}`;
    const { warnings } = await quoteOf({ burnPercent: 50, amount: 1, account });
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(["balance_too_low"]);
  });

  test("a salt that the factory refuses from the account is a warning", async () => {
    const [owner, other] = chain.traders;
    const terms = {
      burnPercent: 50,
      amount: 1,
      name: "Bound",
      symbol: "BND",
      salt: `${owner}${"01".repeat(12)}`,
    };
    const codesFor = async (account: Address) => {
      const { warnings, transaction } = await quoteOf({ ...terms, account });
      return { codes: warnings.map(({ code }: { code: string }) => code), transaction };
    };
    const ofOther = await codesFor(other);
    expect(ofOther.codes).toEqual(["salt_of_another_account"]);
    expect(await revertReason(chain, other, ofOther.transaction)).toBe("SaltOfAnotherAccount");
    const ofOwner = await codesFor(owner);
    expect(ofOwner.codes).toEqual([]);
    await sendAsIs(chain, owner, ofOwner.transaction);
    expect((await codesFor(owner)).codes).toEqual(["salt_already_used"]);
    expect(await revertReason(chain, owner, ofOwner.transaction)).toBe("SaltAlreadyUsed");
  });

  test.each([
    ["amount=1", "burnPercent"],
    ["burnPercent=29&amount=1", "burnPercent"],
    ["burnPercent=71&amount=1", "burnPercent"],
    ["burnPercent=50", "amount"],
    ["burnPercent=50&amount=0", "amount"],
    ["burnPercent=50&amount=1.5", "amount"],
    ["burnPercent=50&amount=1&name=A", "symbol"],
    ["burnPercent=50&amount=1&symbol=A", "symbol"],
    [`burnPercent=50&amount=1&symbol=A&name=${"é".repeat(33)}`, "name"],
    ["burnPercent=50&amount=1&salt=0x12", "salt"],
    [`burnPercent=50&amount=1&salt=0x${"5a".repeat(32)}`, "salt"],
    ["burnPercent=50&amount=1&slippage=1", "slippage"],
  ])("%s: 400 that names %s", async (query, path) => {
    const { status, body } = await rest.get(`/api/first-buy/quote?chainId=97&${query}`);
    expect([status, body.code, body.errors.map((error: { path: string }) => error.path)]).toEqual([
      ...[400, "invalid_request"],
      [path],
    ]);
  });

  test("a quoted buy of everything left goes through when somebody buys a little first", async () => {
    const [creator, other, trader] = chain.traders;
    const mint = (await chain.create(creator)).toLowerCase();
    await chain.buy(other, mint as Address, (graduatingAmount * 3n) / 5n);
    await service.indexer.untilIndexed(97, await chain.head());
    const quotes = await Promise.all(
      [0, 1].map((slippage) =>
        rest.get(
          `/api/curve/${mint}/quote?chainId=97&side=buy&amount=${2n * graduatingAmount}&slippage=${slippage}`,
        ),
      ),
    );
    const [tight, byDefault] = quotes.map(({ body }) => body.transaction);
    for (const transaction of [tight, byDefault]) {
      expect(await revertReason(chain, trader, transaction)).toBeUndefined();
    }
    await chain.buy(other, mint as Address, graduatingAmount / 125n);
    expect(await revertReason(chain, trader, tight)).toBe("InsufficientOutput");
    const { logs } = await sendAsIs(chain, trader, byDefault);
    expect(parseEventLogs({ abi: launchpadAbi, eventName: "Graduated", logs })).toHaveLength(1);
  });
}
