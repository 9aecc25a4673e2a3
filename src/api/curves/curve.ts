import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { PooledDatabase } from "../database/database.ts";
import { toLowerHex } from "../http/parameters.schema.ts";
import { createRouter } from "../http/router.ts";
import { formatPrice, priceInUsd } from "../market/price.ts";
import { checkpointBlock } from "../ponder/index-state.query.ts";
import { type Curve, type CurveProgress, curveRoute, curvesRoute } from "./curve.routes.ts";
import { type CurveRow, readCurve, readCurveProgress } from "./curves.query.ts";

export function createCurve({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter()
    .openapi(curveRoute, async (c) => {
      const { mint } = c.req.valid("param");
      const chain = chains.choose(c.req.valid("query").chainId);
      const row = await readCurve(db, chain.id, mint);
      if (row === undefined) throw unknownToken(mint, chain.id);
      return c.json(toCurve(row), 200);
    })
    .openapi(curvesRoute, async (c) => {
      const { mints, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const curves = await readCurveProgress(db, chain.id, mints.map(toLowerHex));
      const byMint = new Map<string, CurveProgress["curves"][string]>(
        curves.map(({ token, ...progress }) => [token, progress]),
      );
      const requested = [...new Set(mints)];
      const body: CurveProgress = {
        curves: Object.fromEntries(
          requested.flatMap((mint) => {
            const curve = byMint.get(mint.toLowerCase());
            return curve === undefined ? [] : [[mint, curve]];
          }),
        ),
        missing: requested.filter((mint) => !byMint.has(mint.toLowerCase())),
      };
      return c.json(body, 200);
    });
}

function toCurve({ curve, latestCheckpoint, bnbUsdX8 }: CurveRow): Curve {
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
