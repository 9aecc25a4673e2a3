import { type Address, encodeFunctionData, parseEventLogs } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dexFactoryAbi } from "../../abis/DexFactory.ts";
import { dexPairAbi } from "../../abis/DexPair.ts";
import { wbnbAbi } from "../../abis/Wbnb.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { deployPreviousLaunchpad } from "../chain/previous-launchpad.ts";
import { revertReason, sendAsIs } from "../chain/quoted-transaction.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type Service, startService } from "../service/service.ts";

/* Whoever deployed the contracts before createTokenAndBuy goes on with them. */

let chain: LaunchpadChain;
let service: Service;
let rest: RestClient;
let graduated: Address;
let open: Address;

beforeAll(async () => {
  chain = await startLaunchpadChain({ deployContracts: deployPreviousLaunchpad });
  const [creator, buyer, other] = chain.traders;
  graduated = await chain.create(creator, "Skewed", "SKEW", 33);
  await chain.buy(buyer, graduated, graduatingAmount / 3n);
  await chain.sell(buyer, graduated, (await chain.balanceOf(graduated, buyer)) / 7n);
  await skewPair(graduated, other);
  const { logs } = await chain.buy(other, graduated, graduatingAmount);
  // The swap by which the launchpad empties the pair is no trade.
  expect(parseEventLogs({ abi: dexPairAbi, eventName: "Swap", logs })).toHaveLength(1);
  await chain.buyOnDex(buyer, graduated, graduatingAmount / 10n);
  await chain.sellOnDex(other, graduated, 10n ** 24n);
  open = (await chain.create(creator, "Open", "OPEN", 70)).toLowerCase() as Address;
  await chain.buy(buyer, open, graduatingAmount / 2n);

  service = await startService([chain]);
  await service.indexer.untilReady();
  rest = await createRestClient(service.indexer.url);
});

afterAll(async () => {
  await service?.stop();
  await chain?.stop();
});

/** Brings WBNB into the reserves of a pair whose token has not graduated, as only these contracts allow. */
async function skewPair(token: Address, from: Address) {
  const { wbnb, dexFactory } = chain.deployment;
  const pair = await chain.publicClient.readContract({
    address: dexFactory,
    abi: dexFactoryAbi,
    functionName: "getPair",
    args: [token, wbnb],
  });
  const amount = 3n * graduatingAmount;
  await chain.send(from, wbnb, encodeFunctionData({ abi: wbnbAbi, functionName: "deposit" }), amount);
  await chain.transfer(from, wbnb, pair, amount);
  await chain.send(from, pair, encodeFunctionData({ abi: dexPairAbi, functionName: "sync" }));
}

test("their tokens are indexed as they happened, the swap before a graduation left out", async () => {
  await service.expectIndexEqualsChain();
  const { body } = await rest.get(`/api/token/${graduated}/trades`);
  expect(body.trades.map(({ venue, side }: { venue: string; side: string }) => `${venue} ${side}`)).toEqual([
    ...["dex sell", "dex buy"],
    ...["curve buy", "curve sell", "curve buy"],
  ]);
});

test("a quote of a buy beyond the end of the curve goes through, with the limit that they know", async () => {
  const [, , trader] = chain.traders;
  const query = `side=buy&amount=${10n * graduatingAmount}&slippage=0.5&account=${trader}`;
  const { body: quote } = await rest.get(`/api/curve/${open}/quote?${query}`);
  expect(quote).toMatchObject({ graduates: true, refundWei: String((19n * graduatingAmount) / 2n) });
  expect(await revertReason(chain, trader, quote.transaction)).toBeUndefined();
  await sendAsIs(chain, trader, quote.transaction);
  expect(String(await chain.balanceOf(open, trader))).toBe(quote.amountOutRaw);
  await service.expectIndexEqualsChain();
});

test("they have no first buy, and that is said", async () => {
  const { status, body } = await rest.get("/api/first-buy/quote?burnPercent=50&amount=1");
  expect([status, body.code]).toEqual([422, "first_buy_not_supported"]);
});
