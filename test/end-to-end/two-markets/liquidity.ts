import {
  type Abi,
  type Address,
  encodeFunctionData,
  formatEther,
  type Hex,
  type Log,
  maxUint256,
  parseEventLogs,
  toHex,
} from "viem";
import { beforeAll, expect, test } from "vitest";
import { dexPairAbi } from "../../../abis/DexPair.ts";
import { dexRouterAbi } from "../../../abis/DexRouter.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { graduatingAmount, type LaunchpadChain } from "../../chain/launchpad-chain.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { Pools, TwoMarketsServed } from "./served.ts";

/** Liquidity of pairs in which the token is token0, and of pairs in which it is token1. */
export function testLiquidity(served: () => TwoMarketsServed): void {
  let chain: LaunchpadChain;
  let service: Service;
  let rest: RestClient;
  let pools: Pools;
  const orders = ["first", "second"] as const;

  beforeAll(() => {
    ({ mainnet: chain, service, rest, pools } = served());
  });

  const farFuture = 2n ** 40n;
  const callOf = (abi: Abi, functionName: string, args: unknown[] = []) =>
    encodeFunctionData({ abi, functionName, args });
  const sendToPair = (from: Address, pair: Address, functionName: string, args?: unknown[]) =>
    chain.send(from, pair, callOf(dexPairAbi, functionName, args));

  async function liquidityOf(token: Address, query = "") {
    const { status, body } = await rest.get(`/api/token/${token}/liquidity?${query}`);
    expect(status).toBe(200);
    return body;
  }

  /** The amounts of a transaction's Mint and Burn events, in wei and base units. */
  function amountsIn({ logs }: { logs: Log[] }, order: string) {
    return parseEventLogs({ abi: dexPairAbi, eventName: ["Mint", "Burn"], logs }).map(
      ({ eventName, args }) => {
        const [tokens, bnb] = order === "first" ? [args.amount0, args.amount1] : [args.amount1, args.amount0];
        return {
          kind: eventName === "Mint" ? "add" : "remove",
          bnbAmountWei: `${bnb}`,
          tokenAmountRaw: `${tokens}`,
        };
      },
    );
  }

  test.each(orders)(
    "where the token is %s in the pair, every addition and removal is listed with its provider",
    async (order) => {
      const { token, pair } = pools[order];
      const [creator, buyer, other] = chain.traders;
      const by = (address: Address) => ({ provider: address.toLowerCase() });
      const reservesNow = async () => {
        const [bnb, tokens] = await Promise.all([
          chain.balanceOf(chain.deployment.wbnb, pair),
          chain.balanceOf(token, pair),
        ]);
        return { bnbReservesWei: `${bnb}`, reservesBnb: formatEther(bnb), tokenReservesRaw: `${tokens}` };
      };

      const added = await chain.addLiquidity(buyer, token, 10n ** 24n, 10n ** 15n);
      const afterAdding = await reservesNow();
      // A trade and donations in between, of which the next provider to add or remove gets a share.
      await chain.buyOnDex(other, token, 10n ** 15n);
      await chain.transfer(other, token, pair, 12_345n);
      await sendToPair(other, pair, "skim", [other]);
      await chain.transfer(other, token, pair, 12_345n);
      await sendToPair(other, pair, "sync");
      const lp = await chain.balanceOf(pair, buyer);
      const removed = await chain.removeLiquidity(buyer, token, pair, lp / 2n);
      const afterRemoving = await reservesNow();
      // Without a router, and on behalf of someone else.
      await chain.transfer(buyer, pair, pair, await chain.balanceOf(pair, buyer));
      const burned = await sendToPair(other, pair, "burn", [creator]);
      const afterBurning = await reservesNow();

      await service.expectIndexEqualsChain([chain]);
      const { liquidity, ...rest } = await liquidityOf(token);
      expect(rest).toEqual({ mint: token.toLowerCase(), chainId: 56, nextCursor: null });
      const [bnb, tokens] = [graduatingAmount, (10n ** 27n / 2n / 5n) * 2n];
      const first = { bnbAmountWei: `${bnb}`, tokenAmountRaw: `${tokens}` };
      expect(liquidity).toMatchObject([
        { ...amountsIn(burned, order)[0], ...by(creator), ...afterBurning, tx: burned.transactionHash },
        { ...amountsIn(removed, order)[0], ...by(buyer), ...afterRemoving, tx: removed.transactionHash },
        { ...amountsIn(added, order)[0], ...by(buyer), ...afterAdding, tx: added.transactionHash },
        {
          kind: "add",
          ...by(chain.deployment.launchpad),
          pair: pair.toLowerCase(),
          amountBnb: "0.05",
          ...first,
          bnbReservesWei: `${bnb}`,
          reservesBnb: "0.05",
          tokenReservesRaw: `${tokens}`,
        },
      ]);
    },
  );

  test("consecutive pages repeat nothing", async () => {
    const { token } = pools.first;
    const all = (await liquidityOf(token)).liquidity;
    const found: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await liquidityOf(token, `limit=1${cursor && `&cursor=${cursor}`}`);
      found.push(...page.liquidity);
      cursor = page.nextCursor;
    }
    expect(found).toEqual(all);
    const { body: trades } = await rest.get(`/api/token/${token}/trades?limit=1`);
    const { status, body } = await rest.get(`/api/token/${token}/liquidity?cursor=${trades.nextCursor}`);
    expect([status, body.code, body.errors[0].path]).toEqual([400, "invalid_request", "cursor"]);
  });

  test("a token on its curve has no liquidity changes, and an unknown one is not found", async () => {
    const [creator] = chain.traders;
    const token = await chain.create(creator);
    await service.indexer.untilIndexed(56, await chain.head());
    expect((await liquidityOf(token)).liquidity).toEqual([]);
    const { status, body } = await rest.get(`/api/token/0x${"12".repeat(20)}/liquidity`);
    expect([status, body.code]).toEqual([404, "token_not_found"]);
  });

  test("liquidity added in the graduation's block is not mistaken for the launchpad's, nor the reverse", async () => {
    const [creator, buyer, other] = chain.traders;
    const { launchpad, router } = chain.deployment;
    const token = await chain.create(creator);
    await chain.buy(buyer, token, graduatingAmount / 2n);
    await chain.send(buyer, token, callOf(launchTokenAbi, "approve", [router, maxUint256]));
    await chain.testClient.setAutomine(false);
    // The transaction with the higher gas price comes first.
    const submit = (from: Address, to: Address, data: Hex, bnb: bigint, gasPrice: number) =>
      chain.testClient.request({
        method: "eth_sendTransaction",
        params: [{ from, to, data, value: toHex(bnb), gas: toHex(2_000_000), gasPrice: toHex(gasPrice) }],
      } as never);
    const terms = [token, 10n ** 24n, 0n, 0n, buyer, farFuture];
    await submit(buyer, router, callOf(dexRouterAbi, "addLiquidityETH", terms), 10n ** 15n, 10 ** 9);
    const buy = callOf(launchpadAbi, "buy", [token, 0n, farFuture]);
    await submit(other, launchpad, buy, graduatingAmount, 2 * 10 ** 9);
    await chain.testClient.mine({ blocks: 1 });
    await chain.testClient.setAutomine(true);

    await service.expectIndexEqualsChain([chain]);
    const block = Number(await chain.head());
    const found = (await liquidityOf(token)).liquidity;
    expect(found).toMatchObject([
      { provider: buyer.toLowerCase(), kind: "add", block },
      { provider: launchpad.toLowerCase(), kind: "add", block },
    ]);
    const curve = (await rest.get(`/api/curve/${token}`)).body;
    expect(curve.pair).toBe(found[0].pair);
  });

  test("GraphQL lists changes by token, by provider and by time, and links back to the token", async () => {
    const { token, pair } = pools.second;
    const [, buyer] = chain.traders;
    const newest = `orderBy: "timestamp", orderDirection: "desc"`;
    const data = await service.indexer.graphql<Record<string, never>>(
      `query ($token: String!, $buyer: String!) {
      token(chainId: 56, address: $token) { liquidityChanges(${newest}) { items { kind dexPair { address } } } }
      account(chainId: 56, address: $buyer) {
        liquidityChanges(where: { token: $token }, ${newest}) { items { kind pooledToken { address } } }
      }
      liquidityChanges(where: { chainId: 56, kind: remove }, ${newest}, limit: 1) {
        items { providerAccount { address } bnbAmountWei tokenReservesRaw }
      }
    }`,
      { token: token.toLowerCase(), buyer: buyer.toLowerCase() },
    );
    const dexPair = { address: pair.toLowerCase() };
    const pooledToken = { address: token.toLowerCase() };
    const [last] = (await liquidityOf(token)).liquidity;
    expect(data).toEqual({
      token: {
        liquidityChanges: {
          items: ["remove", "remove", "add", "add"].map((kind) => ({ kind, dexPair })),
        },
      },
      account: { liquidityChanges: { items: ["remove", "add"].map((kind) => ({ kind, pooledToken })) } },
      liquidityChanges: {
        items: [
          {
            providerAccount: { address: last.provider },
            bnbAmountWei: last.bnbAmountWei,
            tokenReservesRaw: last.tokenReservesRaw,
          },
        ],
      },
    });
  });
}
