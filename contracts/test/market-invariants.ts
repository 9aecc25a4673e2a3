import { type Abi, type Address, encodeFunctionData, getAddress } from "viem";
import { expect } from "vitest";
import { dexPairAbi } from "../../abis/DexPair.ts";
import { dexRouterAbi } from "../../abis/DexRouter.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { alice, bob, carol, forever, type Harness } from "./harness.ts";
import {
  amountOf,
  endTokens,
  liquidityOf,
  type Market,
  type ModelToken,
  remainingOf,
  saleOutcome,
  startBnb,
} from "./market-model.ts";

/** A contract that trades and creates tokens, through transactions of others. */
export const robot: Address = getAddress(`0x${"b0".repeat(20)}`);

export const traders = [alice, bob, carol, robot];

/** Expects everything on the chain to match the model, and all invariants to hold. */
export async function expectInvariants(chain: Harness, market: Market) {
  for (const token of market.tokens) expectSound(token);
  expect(await readMarket(chain, market)).toEqual(expectedMarket(chain, market));
  await expectAllCanSell(chain, market);
}

/** Expects that rounding never favours a trader, and that a pair has nothing before graduation but WBNB that somebody gave it. */
function expectSound(token: ModelToken) {
  const startTokens = (remainingOf(token.burnPercent) * 9n) / 5n;
  expect(token.bnbReserves * token.tokenReserves).toBeGreaterThanOrEqual(startBnb * startTokens);
  if (token.graduated) return;
  expect([token.pairTokens, token.tokenReserve, token.wbnbReserve]).toEqual([0n, 0n, 0n]);
}

function expectedMarket({ launchpad, tokenFactory }: Harness, { tokens, wbnb, forcedBnb }: Market) {
  const raised = tokens.map(({ graduated, bnbReserves }) => (graduated ? 0n : bnbReserves - startBnb));
  return {
    bnb: [
      raised.reduce((sum, bnb) => sum + bnb, amountOf(forcedBnb, launchpad)),
      amountOf(forcedBnb, tokenFactory),
    ],
    wbnb: [launchpad, tokenFactory, ...traders].map((account) => amountOf(wbnb, account)),
    tokens: tokens.map((token) => {
      const { graduated, bnbReserves, tokenReserves, burnPercent, stray, balances, creator } = token;
      const left = tokenReserves - endTokens(token);
      const total = (remainingOf(burnPercent) * 3n) / 5n;
      return {
        record: [creator, burnPercent],
        curve: [bnbReserves, tokenReserves, left, total - left, total, burnPercent, graduated],
        ofTraders: traders.map((trader) => amountOf(balances, trader)),
        ofLaunchpad: stray + (graduated ? 0n : left + liquidityOf(token)),
        totalSupply: token.totalSupply,
        pair: { tokens: token.pairTokens, wbnb: token.pairWbnb },
        reserves: { token: token.tokenReserve, wbnb: token.wbnbReserve },
        hasLiquidity: graduated,
      };
    }),
  };
}

async function readMarket(chain: Harness, { tokens }: Market) {
  const { launchpad, tokenFactory, publicClient } = chain;
  const balance = (address: Address, account: Address) =>
    call(address, launchTokenAbi, "balanceOf", [account]);
  const calls = [
    ...[launchpad, tokenFactory, ...traders].map((account) => balance(chain.wbnb, account)),
    ...tokens.flatMap(({ address, pair }) => [
      call(tokenFactory, tokenFactoryAbi, "tokens", [address]),
      call(launchpad, launchpadAbi, "curves", [address]),
      ...[...traders, launchpad, pair].map((account) => balance(address, account)),
      call(address, launchTokenAbi, "totalSupply"),
      balance(chain.wbnb, pair),
      call(pair, dexPairAbi, "getReserves"),
      call(pair, dexPairAbi, "totalSupply"),
    ]),
  ];
  const [answers, ...bnb] = await Promise.all([
    publicClient.multicall({ contracts: calls as never, allowFailure: false, deployless: true }),
    ...[launchpad, tokenFactory].map((address) => publicClient.getBalance({ address })),
  ]);
  const left = [...(answers as unknown[])];
  const next = <Value>() => left.shift() as Value;
  return {
    bnb,
    wbnb: [launchpad, tokenFactory, ...traders].map(() => next<bigint>()),
    tokens: tokens.map(({ address }) => {
      const [record, curve] = [next<unknown[]>(), next<unknown[]>()];
      const ofTraders = traders.map(() => next<bigint>());
      const [ofLaunchpad, inPair, totalSupply, wbnb] = [
        next<bigint>(),
        next<bigint>(),
        next<bigint>(),
        next<bigint>(),
      ];
      const [reserve0, reserve1] = next<[bigint, bigint]>();
      const isToken0 = address.toLowerCase() < chain.wbnb.toLowerCase();
      return {
        record,
        curve,
        ofTraders,
        ofLaunchpad,
        totalSupply,
        pair: { tokens: inPair, wbnb },
        reserves: isToken0 ? { token: reserve0, wbnb: reserve1 } : { token: reserve1, wbnb: reserve0 },
        hasLiquidity: next<bigint>() > 0n,
      };
    }),
  };
}

const call = (address: Address, abi: unknown, functionName: string, args: unknown[] = []) => ({
  address,
  abi,
  functionName,
  args,
});

/** Lets everybody sell everything in turn, in a simulated block. */
async function expectAllCanSell(chain: Harness, { tokens }: Market) {
  const calls = tokens.flatMap((given) => {
    const token = { ...given };
    return traders.flatMap((trader) => {
      const amount = amountOf(token.balances, trader);
      if (!isSellable(token, amount)) return [];
      const [spender, abi, functionName, args] = token.graduated
        ? [
            chain.router,
            dexRouterAbi,
            "swapExactTokensForETH",
            [amount, 1n, [token.address, chain.wbnb], trader, forever],
          ]
        : [
            chain.launchpad,
            launchpadAbi,
            "sell",
            [token.address, amount, saleOutcome(token, amount), forever],
          ];
      if (!token.graduated) {
        token.bnbReserves -= saleOutcome(token, amount);
        token.tokenReserves += amount;
      }
      const approve = { abi: launchTokenAbi, functionName: "approve", args: [spender, amount] } as const;
      return [
        { from: trader, to: token.address, data: encodeFunctionData(approve as never) },
        {
          from: trader,
          to: spender as Address,
          data: encodeFunctionData({
            abi: abi as Abi,
            functionName: functionName as string,
            args: args as unknown[],
          }),
        },
      ];
    });
  });
  if (calls.length === 0) return;
  const [block] = await chain.publicClient.simulateBlocks({ blocks: [{ calls }] });
  const outcomes = block?.calls.map(({ status }) => status);
  expect(outcomes).toEqual(calls.map(() => "success"));
}

/** Whether a sale yields a wei. On the DEX, a thousandth of a token does even after everybody else has sold. */
function isSellable(token: ModelToken, amount: bigint) {
  return token.graduated ? amount >= 10n ** 15n : saleOutcome(token, amount) > 0n;
}
