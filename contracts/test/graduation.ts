import { type Address, parseEventLogs, type TransactionReceipt } from "viem";
import { expect } from "vitest";
import { dexPairAbi } from "../../abis/DexPair.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { fullPrice, type Harness } from "./harness.ts";

export const dead: Address = "0x000000000000000000000000000000000000dEaD";

/** Reads the pair's reserves. */
export async function reservesOf(chain: Harness, token: Address) {
  const pair = await chain.pairOf(token);
  const [reserve0, reserve1] = await chain.publicClient.readContract({
    address: pair,
    abi: dexPairAbi,
    functionName: "getReserves",
  });
  const [token0] = await chain.pairTokens(pair);
  return token0 === token
    ? { tokenReserve: reserve0, wbnbReserve: reserve1 }
    : { tokenReserve: reserve1, wbnbReserve: reserve0 };
}

/** Reads the supply of the pair's liquidity tokens, and how many of them nobody can ever use. */
export async function liquidityOf(chain: Harness, pair: Address) {
  const total = await chain.publicClient.readContract({
    address: pair,
    abi: dexPairAbi,
    functionName: "totalSupply",
  });
  return { total, ofDead: await chain.balanceOf(pair, dead) };
}

/**
 * Expects a token to have graduated in this transaction exactly by its economics: everything sold, the pair holding exactly 2/5
 * of the supply and 0.05 WBNB, at the curve's last price, and nothing left in the launchpad except what somebody gave it.
 */
export async function expectFairGraduation(
  chain: Harness,
  token: Address,
  { logs }: TransactionReceipt,
  stray = { tokens: 0n, wbnb: 0n },
) {
  const curve = await chain.curve(token);
  const tokenLiquidity = (curve.totalToSell * 2n) / 3n;
  const pair = await chain.pairOf(token);
  expect(curve).toMatchObject({ graduated: true, realTokenReserves: 0n, virtualBnbReserves: fullPrice * 3n });

  const { tokenReserve, wbnbReserve } = await reservesOf(chain, token);
  const million = 1_000_000n;
  const curvePrice = (curve.virtualBnbReserves * 10n ** 36n) / curve.virtualTokenReserves;
  const dexPrice = (wbnbReserve * 10n ** 36n) / tokenReserve;
  const difference = dexPrice > curvePrice ? dexPrice - curvePrice : curvePrice - dexPrice;
  expect(difference * million).toBeLessThan(curvePrice);

  expect({ tokenReserve, wbnbReserve }).toEqual({ tokenReserve: tokenLiquidity, wbnbReserve: fullPrice });
  expect(await chain.balanceOf(token, pair)).toBe(tokenLiquidity);
  expect(await chain.balanceOf(chain.wbnb, pair)).toBe(fullPrice);
  expect(await chain.balanceOf(token, chain.launchpad)).toBe(stray.tokens);
  expect(await chain.balanceOf(chain.wbnb, chain.launchpad)).toBe(stray.wbnb);

  const [graduated] = parseEventLogs({ abi: launchpadAbi, eventName: "Graduated", logs });
  expect(graduated?.args).toEqual({ token, pair, bnbLiquidity: fullPrice, tokenLiquidity });
  const { total, ofDead } = await liquidityOf(chain, pair);
  expect(total - ofDead).toBe(1_000n);
}
