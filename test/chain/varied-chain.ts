import type { Address } from "viem";
import { sized } from "../run/long-run.ts";
import { graduatingAmount, startLaunchpadChain } from "./launchpad-chain.ts";

export type VariedChain = Awaited<ReturnType<typeof startVariedChain>>;

/** Starts a chain with a market and a token that trades on the DEX, so that tests can produce events of every kind. */
export async function startVariedChain(seed: number) {
  const chain = await startLaunchpadChain();
  const [creator, buyer, other] = chain.traders;
  const graduated: Address = await chain.create(creator, "Grown", "GROWN");
  await chain.buy(buyer, graduated, graduatingAmount);
  const pair = await chain.pairOf(graduated);
  const actionsPerBlock = sized({ usual: 2, long: 10 });
  await chain.trade(seed, { blocks: 60, actionsPerBlock, creations: 0.02 });

  return {
    ...chain,
    /** Creates a token, trades on its curve and on the DEX, adds and removes liquidity, and transfers: each in its own block. */
    async tradeVaried(): Promise<void> {
      const token = await chain.create(creator);
      await chain.buy(buyer, token, 10n ** 15n);
      await chain.sell(buyer, token, (await chain.balanceOf(token, buyer)) / 2n);
      await chain.buyOnDex(other, graduated, 10n ** 14n);
      await chain.addLiquidity(buyer, graduated, (await chain.balanceOf(graduated, buyer)) / 9n, 10n ** 14n);
      await chain.removeLiquidity(buyer, graduated, pair, (await chain.balanceOf(pair, buyer)) / 2n);
      // The only event of its block, so no other event would reveal that it is missing.
      await chain.transfer(buyer, token, other, (await chain.balanceOf(token, buyer)) / 2n);
    },
  };
}
