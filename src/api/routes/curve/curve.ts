import type { Chains } from "../../lib/chains.ts";
import type { Database } from "../../lib/database.ts";
import { freshJson } from "../../lib/etag.ts";
import { createRouter } from "../../lib/router.ts";
import { unknownToken } from "../../lib/unknown-token.ts";
import { toCurve } from "../../mappers/curve.ts";
import { readCurve, readCurveProgress } from "../../queries/curves.ts";
import { curveRoute, curvesRoute } from "./curve.routes.ts";

export function createCurve({ chains, db }: { chains: Chains; db: Database }) {
  return createRouter()
    .openapi(curveRoute, async (c) => {
      const { mint } = c.req.valid("param");
      const chain = chains.choose(c.req.valid("query").chainId);
      const row = await readCurve(db, chain.id, mint);
      if (row === undefined) throw unknownToken(mint, chain.id);
      return freshJson(c, toCurve(row));
    })
    .openapi(curvesRoute, async (c) => {
      const { mints, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const found = await readCurveProgress(
        db,
        chain.id,
        mints.map((mint) => mint.toLowerCase()),
      );
      const byMint = new Map(found.map(({ token, progress, graduated }) => [token, { progress, graduated }]));
      const asked = [...new Set(mints)].map((mint) => [mint, byMint.get(mint.toLowerCase())] as const);
      return freshJson(c, {
        curves: Object.fromEntries(asked.filter(([, curve]) => curve !== undefined)),
        missing: asked.filter(([, curve]) => curve === undefined).map(([mint]) => mint),
      });
    });
}
