import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { Database } from "../database/database.ts";
import { type AskedPage, chainPosition, readPage, transferCursor } from "../http/cursor.ts";
import { createRouter } from "../http/router.ts";
import { chainEventId } from "../market/event-id.ts";
import { isoTime } from "../market/time.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import type { Transfer } from "./transfer.schema.ts";
import { readTransfers, type TransferFilter, type TransferRow } from "./transfers.query.ts";
import {
  type AccountTransfers,
  accountTransfersRoute,
  type TokenTransfers,
  tokenTransfersRoute,
} from "./transfers.routes.ts";

type Query = AskedPage & {
  from?: TransferFilter["from"];
  to?: TransferFilter["to"];
  before?: number | undefined;
  after?: number | undefined;
};

export function createTransfers({ chains, db }: { chains: Chains; db: Database }) {
  async function read(
    { chainId, mint, account }: Pick<TransferFilter, "chainId" | "mint" | "account">,
    { from, to, before, after: since, ...query }: Query,
  ) {
    const filter = { chainId, mint, account, from, to, since, before };
    const { rows, nextCursor } = await readPage(query, transferCursor(filter), chainPosition, (page) =>
      readTransfers(db, filter, page),
    );
    return { transfers: rows.map(toTransfer), nextCursor };
  }

  return createRouter()
    .openapi(tokenTransfersRoute, async (c) => {
      const { mint } = c.req.valid("param");
      const { chainId, account, ...query } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const [token, page] = await Promise.all([
        readIndexedToken(db, chain.id, mint),
        read({ chainId: chain.id, mint, account }, query),
      ]);
      if (token === undefined) throw unknownToken(mint, chain.id);
      const body: TokenTransfers = { mint, chainId: chain.id, ...page };
      return c.json(body, 200);
    })
    .openapi(accountTransfersRoute, async (c) => {
      const { address } = c.req.valid("param");
      const { chainId, mint, ...query } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const page = await read({ chainId: chain.id, mint, account: address }, query);
      const body: AccountTransfers = { address, chainId: chain.id, ...page };
      return c.json(body, 200);
    });
}

/** Maps a transfer to its response. */
function toTransfer(row: TransferRow): Transfer {
  return {
    id: chainEventId(row.chainId, row.id),
    mint: row.token,
    chainId: row.chainId,
    name: row.name,
    symbol: row.symbol,
    from: row.from,
    to: row.to,
    amountRaw: String(row.amountRaw),
    block: Number(row.block),
    timestamp: isoTime(row.timestamp),
    tx: row.tx,
    logIndex: row.logIndex,
    ...(row.isHidden ? { hidden: true as const } : {}),
  };
}
