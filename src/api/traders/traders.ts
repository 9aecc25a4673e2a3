import { toPositionFields } from "../accounts/account.mapper.ts";
import type { Chains } from "../chain/chains.ts";
import type { ReadDexFee } from "../chain/dex-terms.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { Database } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { toAccountLabels } from "../market/risk.mapper.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import { readTraders, type TraderRow } from "./traders.query.ts";
import { type Trader, type Traders, tradersRoute } from "./traders.routes.ts";

type TradersDeps = { chains: Chains; db: Database; readDexFee: ReadDexFee };

export function createTraders({ chains, db, readDexFee }: TradersDeps) {
  return createRouter().openapi(tradersRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { sort, limit, chainId } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const dexFee = (await readDexFee(chain)) ?? null;
    const [token, rows] = await Promise.all([
      readIndexedToken(db, chain.id, mint),
      readTraders(db, { chainId: chain.id, mint, sort, limit, dexFee }),
    ]);
    if (token === undefined) throw unknownToken(mint, chain.id);
    const body: Traders = { mint, chainId: chain.id, sort, traders: rows.map(toTrader) };
    return c.json(body, 200);
  });
}

function toTrader(row: TraderRow, index: number): Trader {
  return {
    rank: index + 1,
    address: row.account,
    labels: toAccountLabels(row),
    balanceRaw: row.balance_raw ?? "0",
    ...toPositionFields(row),
  };
}
