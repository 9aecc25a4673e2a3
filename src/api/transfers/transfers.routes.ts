import { createRoute, z } from "@hono/zod-openapi";
import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { Database } from "../database/database.ts";
import { jsonAnswers } from "../http/answer.schema.ts";
import { type AskedPage, chainPosition, readPage, transferCursor } from "../http/cursor.ts";
import { withEtag } from "../http/etag.ts";
import {
  address,
  chainId,
  cursor,
  inOrder,
  limit,
  minBlock,
  mintParameter,
  nextCursor,
  timeBound,
} from "../http/parameters.schema.ts";
import { chainProblems, problems, tokenProblems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";
import { chainEventId } from "../market/event-id.ts";
import { isoTime } from "../market/time.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import { type Transfer, transfer } from "./transfer.schema.ts";
import { readTransfers, type TransferFilter, type TransferRow } from "./transfers.query.ts";

const filters = {
  from: address.optional().openapi({ description: "Only transfers by this account." }),
  to: address.optional().openapi({ description: "Only transfers to this account." }),
  after: timeBound.optional().openapi({
    description: "Only transfers at this time or later: seconds since 1970, or ISO 8601.",
  }),
  before: timeBound.optional().openapi({
    description: "Only transfers before this time: seconds since 1970, or ISO 8601.",
  }),
  limit,
  cursor,
  chainId,
  minBlock,
};

const description =
  "Movements of tokens that are no part of a trade, a creation, a graduation or a change of liquidity: gifts, airdrops, fees, burns. Follow `nextCursor` for older ones: no page repeats or skips a transfer, even if new ones come in meanwhile.";

const tokenTransfers = z
  .object({ mint: z.string(), chainId: z.int(), transfers: z.array(transfer), nextCursor })
  .openapi("TokenTransfers");

type TokenTransfers = z.input<typeof tokenTransfers>;

export const tokenTransfersRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/transfers",
  operationId: "getTokenTransfers",
  tags: ["Market"],
  summary: "Transfers of a token beside its trades, newest first.",
  description,
  middleware: withEtag(),
  request: {
    params: mintParameter,
    query: z
      .object({
        account: address.optional().openapi({ description: "Only transfers by or to this account." }),
        ...filters,
      })
      .refine(...inOrder("after", "before")),
  },
  responses: {
    ...jsonAnswers("A page of transfers, newest first.", tokenTransfers),
    ...problems(tokenProblems),
  },
});

const accountTransfers = z
  .object({ address: z.string(), chainId: z.int(), transfers: z.array(transfer), nextCursor })
  .openapi("AccountTransfers");

type AccountTransfers = z.input<typeof accountTransfers>;

export const accountTransfersRoute = createRoute({
  method: "get",
  path: "/api/account/{address}/transfers",
  operationId: "getAccountTransfers",
  tags: ["Accounts"],
  summary: "Transfers by and to an account beside its trades, newest first.",
  description: `${description} Those by the account have it as \`from\`, those to it as \`to\`.`,
  middleware: withEtag(),
  request: {
    params: z.object({
      address: address.openapi({ param: { name: "address", in: "path" }, description: "The account." }),
    }),
    query: z
      .object({
        mint: address.optional().openapi({ description: "Only transfers of this token." }),
        ...filters,
      })
      .refine(...inOrder("after", "before")),
  },
  responses: {
    ...jsonAnswers("A page of transfers, newest first.", accountTransfers),
    ...problems(chainProblems),
  },
});

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
