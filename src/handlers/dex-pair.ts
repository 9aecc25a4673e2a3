import { type Context, type Event, type EventNames, ponder } from "ponder:registry";
import * as tables from "ponder:schema";
import { dexTrade } from "../domain/swap.ts";
import { ensureAccount } from "../entities/account.ts";
import { type Address, launchpadAddress, type RowKey, type RowsRead, reads } from "../entities/context.ts";
import { updateDexMarket } from "../entities/curve.ts";
import { findPair, recordLiquidity, syncPair } from "../entities/dex-pair.ts";
import { marketTradeRows, recordMarketTrade } from "../entities/market.ts";
import { moveCosts } from "../entities/position.ts";
import { liquidityProvider, liquidityTokens, type Markets, swapTrader, transfersAfter } from "./traders.ts";

/** The rows that a pair's Sync reads. */
const syncRows = pairRows<"DexPair:Sync">((_, chainId, { token }) => [
  { table: tables.curve, key: { chainId, token } },
]);

ponder.on(
  "DexPair:Sync",
  reads(syncRows, async ({ event, context }) => {
    const market = await syncPair(context, event.log.address, event.args, event);
    if (market === null) return;
    const { token, priceBnbX36, bnbReservesWei: liquidityWei } = market;
    const price = priceBnbX36 === 0n ? {} : { priceBnbX36 };
    await updateDexMarket(context, token, { ...price, liquidityWei, changedAt: event.block.timestamp });
  }),
);

/** The rows that a swap on a pair reads. */
const swapRows = pairRows<"DexPair:Swap">((event, chainId, markets) =>
  marketTradeRows(chainId, markets.token, swapTrader(event, markets, 0n).account, event.block.timestamp),
);

// Uniswap V2 emits Sync before Swap, so the pair's orientation and its reserves after the swap are known here. Before
// graduation, or on a pair that is not a Uniswap V2 pair, nothing shows which side is BNB.
ponder.on(
  "DexPair:Swap",
  reads(swapRows, async ({ event, context }) => {
    const pair = await findPair(context, event.log.address);
    if (pair === null || pair.tokenIsToken0 === null) return;

    const { address, token, tokenIsToken0, bnbReservesWei, tokenReservesRaw } = pair;
    const traded = dexTrade(event.args, tokenIsToken0);
    const launchpad = launchpadAddress(context);
    const markets = { token, launchpad, pair: { address, tokenIsToken0 } };
    const { account: trader, tokensMovedRaw } = swapTrader(event, markets, traded.tokenAmountRaw);
    await recordMarketTrade(
      context,
      { ...traded, token, trader, tokensMovedRaw, venue: "dex", bnbReservesWei, tokenReservesRaw },
      event,
    );
    await moveCosts(context, { token, pair: address }, transfersAfter(event, markets), event);
  }),
);

/** The rows that a change of a pair's liquidity reads. */
const liquidityRows = pairRows<"DexPair:Mint" | "DexPair:Burn">((event, chainId, markets) => {
  const { account: tokenAccount } = liquidityTokens(event, markets, 0n);
  return [
    { table: tables.account, key: { chainId, address: liquidityProvider(event) ?? tokenAccount } },
    { table: tables.account, key: { chainId, address: tokenAccount } },
    { table: tables.position, key: { chainId, token: markets.token, account: tokenAccount } },
  ];
});

ponder.on(
  "DexPair:Mint",
  reads(liquidityRows, ({ event, context }) => changeLiquidity(context, event, "add")),
);
ponder.on(
  "DexPair:Burn",
  reads(liquidityRows, ({ event, context }) => changeLiquidity(context, event, "remove")),
);

// Nothing is stored of the liquidity tokens: those who add and remove liquidity read the transfers of their transaction.
ponder.on("DexPair:Transfer", async () => {});

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
  const { account: tokenAccount, tokensMovedRaw } = liquidityTokens(event, markets, tokenAmountRaw);
  const provider = liquidityProvider(event) ?? tokenAccount;
  await recordLiquidity(
    context,
    {
      token,
      pair: address,
      provider,
      tokenAccount,
      kind,
      bnbAmountWei,
      tokenAmountRaw,
      tokensMovedRaw,
      bnbReservesWei: pair.bnbReservesWei,
      tokenReservesRaw: pair.tokenReservesRaw,
    },
    event,
  );
  await ensureAccount(context, provider, event);
  await ensureAccount(context, tokenAccount, event);
  const [from, to] = kind === "add" ? [tokenAccount, address] : [address, tokenAccount];
  const moved = { from, to, amount: tokensMovedRaw ?? tokenAmountRaw };
  await moveCosts(context, { token, pair: address }, [moved, ...transfersAfter(event, markets)], event);
}

/** The pair's own row, and those of its token once the pair is known. */
function pairRows<Name extends EventNames>(
  rowsOfToken: (event: Event<Name>, chainId: number, markets: Markets) => RowKey[],
): RowsRead<Event<Name> & { log: { address: Address } }> {
  return (event, chainId, peek) => {
    const key = { chainId, address: event.log.address };
    const pair = peek(tables.dexPair, key);
    if (!pair) return [{ table: tables.dexPair, key }];
    const launchpad = peek(tables.token, { chainId, address: pair.token })?.launchpad;
    // The pair's first Sync will show the side. Until then, a guess may miss a row.
    const { address, tokenIsToken0 } = pair;
    const markets = { token: pair.token, launchpad, pair: { address, tokenIsToken0: tokenIsToken0 ?? true } };
    return [{ table: tables.dexPair, key }, ...rowsOfToken(event, chainId, markets)];
  };
}
