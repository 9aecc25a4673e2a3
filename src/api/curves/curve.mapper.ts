import { formatPrice, priceInUsd } from "../market/price.ts";
import { checkpointBlock } from "../ponder/index-state.query.ts";
import type { Curve } from "./curve.routes.ts";
import type { CurveRow } from "./curves.query.ts";

export function toCurve({ curve, latestCheckpoint, bnbUsdX8 }: CurveRow): Curve {
  return {
    mint: curve.token,
    chainId: curve.chainId,
    virtualBnbReserves: String(curve.virtualBnbReserves),
    virtualTokenReserves: String(curve.virtualTokenReserves),
    realTokenReserves: String(curve.realTokenReserves),
    tokensSold: String(curve.tokensSold),
    totalToSell: String(curve.totalToSell),
    burnPercent: curve.burnPercent,
    progress: curve.progress,
    graduated: curve.graduated,
    reservesAreFinal: curve.graduated,
    pair: curve.pair,
    priceBnb: formatPrice(curve.priceBnbX36),
    ...priceInUsd(curve.priceBnbX36, bnbUsdX8),
    block: checkpointBlock(latestCheckpoint),
  };
}
