import { type Event, ponder } from "ponder:registry";
import * as tables from "ponder:schema";
import { updateCreatorRecord } from "../entities/account.ts";
import { type RowsRead, reads } from "../entities/context.ts";
import { graduateCurve, openCurve } from "../entities/curve.ts";
import { openPair, recordLiquidity } from "../entities/dex-pair.ts";
import { markPair } from "../entities/holder.ts";
import { countGraduation, findBnbUsd } from "../entities/launchpad.ts";
import { marketTradeRows, recordMarketTrade } from "../entities/market.ts";
import { moveCosts } from "../entities/position.ts";
import { findCreator } from "../entities/token.ts";
import { curveMarkets, curveTrader, graduation, transfersAfter } from "./traders.ts";

/** The rows that a curve's opening reads. */
const openingRows: RowsRead<Event<"Launchpad:CurveOpened">> = ({ args }, chainId) => [
  { table: tables.launchpad, key: { chainId } },
  { table: tables.curve, key: { chainId, token: args.token } },
];

ponder.on(
  "Launchpad:CurveOpened",
  reads(openingRows, async ({ event, context }) => {
    const { token, burnPercent, virtualBnbReserves, virtualTokenReserves, totalToSell } = event.args;
    const bnbUsdX8 = await findBnbUsd(context);
    const opened = { token, burnPercent, virtualBnbReserves, virtualTokenReserves, totalToSell, bnbUsdX8 };
    await openCurve(context, opened, event);
  }),
);

/** The rows that a trade on the curve reads. */
const tradeRows: RowsRead<Event<"Launchpad:Trade">> = (event, chainId) =>
  marketTradeRows(chainId, event.args.token, curveTrader(event).account, event.block.timestamp);

ponder.on(
  "Launchpad:Trade",
  reads(tradeRows, async ({ event, context }) => {
    const { token, isBuy, bnbAmount, tokenAmount, virtualBnbReserves, virtualTokenReserves } = event.args;
    const { account, tokensMovedRaw } = curveTrader(event);
    const made = {
      token,
      trader: account,
      venue: "curve",
      side: isBuy ? "buy" : "sell",
      bnbAmountWei: bnbAmount,
      tokenAmountRaw: tokenAmount,
      tokensMovedRaw,
      bnbReservesWei: virtualBnbReserves,
      tokenReservesRaw: virtualTokenReserves,
    } as const;
    await recordMarketTrade(context, made, event);
    await moveCosts(context, { token, pair: undefined }, transfersAfter(event, curveMarkets(event)), event);
  }),
);

/** The rows that a graduation reads. */
const graduationRows: RowsRead<Event<"Launchpad:Graduated">> = ({ args }, chainId) => [
  { table: tables.launchpad, key: { chainId } },
  { table: tables.curve, key: { chainId, token: args.token } },
  { table: tables.token, key: { chainId, address: args.token } },
  { table: tables.holder, key: { chainId, token: args.token, account: args.pair } },
  { table: tables.dexPair, key: { chainId, address: args.pair } },
];

ponder.on(
  "Launchpad:Graduated",
  reads(graduationRows, async ({ event, context }) => {
    const { token, pair, bnbLiquidity, tokenLiquidity } = event.args;
    const isNew = await graduateCurve(context, { token, pair, bnbLiquidity }, event);
    await markPair(context, token, pair, event);
    const { account: tokenAccount, tokensMovedRaw, tokenIsToken0 } = graduation(event);
    const reserves = { bnbReservesWei: bnbLiquidity, tokenReservesRaw: tokenLiquidity };
    const opened = { address: pair, token, tokenIsToken0, ...reserves };
    if (await openPair(context, opened, event)) {
      await recordLiquidity(
        context,
        {
          token,
          pair,
          provider: tokenAccount,
          tokenAccount,
          kind: "add",
          bnbAmountWei: bnbLiquidity,
          tokenAmountRaw: tokenLiquidity,
          tokensMovedRaw,
          ...reserves,
        },
        event,
      );
    }
    if (!isNew) return;
    await countGraduation(context, bnbLiquidity);
    const creator = await findCreator(context, token);
    if (creator !== undefined) await updateCreatorRecord(context, creator, { tokensGraduated: 1 }, event);
  }),
);
