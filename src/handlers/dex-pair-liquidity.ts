import { type Context, type Event, ponder } from "ponder:registry";
import { ensureAccount } from "../entities/account.ts";
import { launchpadAddress } from "../entities/context.ts";
import { findPair } from "../entities/dex-pair.ts";
import { recordLiquidity } from "../entities/liquidity.ts";
import { moveCosts } from "../entities/position.ts";
import { liquidityRows, reads } from "./rows-read.ts";
import { liquidityProvider, transfersAfter } from "./traders.ts";

ponder.on(
  "DexPair:Mint",
  reads(liquidityRows, ({ event, context }) => changeLiquidity(context, event, "add")),
);
ponder.on(
  "DexPair:Burn",
  reads(liquidityRows, ({ event, context }) => changeLiquidity(context, event, "remove")),
);

// Uniswap V2 emits Sync before Mint and Burn, as it does before Swap. What the launchpad adds at graduation comes before the
// pair is known: its Graduated event has it.
async function changeLiquidity(
  context: Context,
  event: Event<"DexPair:Mint" | "DexPair:Burn">,
  kind: "add" | "remove",
): Promise<void> {
  const pair = await findPair(context, event.log.address);
  if (pair === null || pair.tokenIsToken0 === null) return;

  const { address, token, tokenIsToken0 } = pair;
  const { amount0, amount1 } = event.args;
  const [tokenAmountRaw, bnbAmountWei] = tokenIsToken0 ? [amount0, amount1] : [amount1, amount0];
  const launchpad = launchpadAddress(context);
  const markets = { token, launchpad, pair: { address, tokenIsToken0 } };
  const { account: provider, tokensMovedRaw } = liquidityProvider(event, markets, tokenAmountRaw);
  await recordLiquidity(
    context,
    {
      ...{ token, pair: address, provider, kind, bnbAmountWei, tokenAmountRaw, tokensMovedRaw },
      ...{ bnbReservesWei: pair.bnbReservesWei, tokenReservesRaw: pair.tokenReservesRaw },
    },
    event,
  );
  await ensureAccount(context, provider, event);
  const [from, to] = kind === "add" ? [provider, address] : [address, provider];
  const moved = { from, to, amount: tokensMovedRaw ?? tokenAmountRaw };
  await moveCosts(context, { token, pair: address }, [moved, ...transfersAfter(event, markets)]);
}
