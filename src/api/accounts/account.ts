import { eventId } from "../../curve/event-id.ts";
import type { Chains } from "../chain/chains.ts";
import { inSnapshot, type PooledDatabase } from "../database/database.ts";
import { creationPlace, holdingPlace, pageOf, positionPlace, tradePlace } from "../http/cursor.ts";
import { freshJson } from "../http/etag.ts";
import { createRouter } from "../http/router.ts";
import { toCreatorRecord } from "../market/risk.mapper.ts";
import { isoTime } from "../market/time.ts";
import { readNamedTrades } from "../market/trades.query.ts";
import { placeOfTrade, toNamedTrade } from "../trades/trade.mapper.ts";
import { toAccountTotals, toCreatedToken, toHolding, toPosition } from "./account.mapper.ts";
import {
  type CreatedTokenRow,
  type HoldingRow,
  type PositionRow,
  readAccount,
  readCreatedTokens,
  readHoldings,
  readPositions,
} from "./account.query.ts";
import { accountRoute, createdTokensRoute, holdingsRoute, positionsRoute } from "./account.routes.ts";

const placeOfHolding = ({ value, token }: HoldingRow) => ({ first: value, second: token });
const placeOfPosition = ({ last_trade_at, token }: PositionRow) => ({ first: last_trade_at, second: token });
const placeOfCreated = (row: CreatedTokenRow) => ({
  first: row.created_at,
  second: eventId(row.created_block, row.created_log_index),
});

export function createAccount({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter()
    .openapi(accountRoute, async (c) => {
      const { address: account } = c.req.valid("param");
      const { limit, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      // All of it as of one block, so that totals and lists agree.
      const found = await inSnapshot(db, async (tx) => {
        const of = { chainId: chain.id, account, after: undefined, limit: limit + 1 };
        return {
          account: await readAccount(tx, of),
          holdings: await readHoldings(tx, of),
          createdTokens: await readCreatedTokens(tx, of),
          positions: await readPositions(tx, of),
          trades: await readNamedTrades(tx, { chainId: chain.id, trader: account }, of),
        };
      });
      const { first_seen_at } = found.account;
      const holdings = pageOf(found.holdings, limit, holdingPlace, placeOfHolding);
      const createdTokens = pageOf(found.createdTokens, limit, creationPlace, placeOfCreated);
      const positions = pageOf(found.positions, limit, positionPlace, placeOfPosition);
      const trades = pageOf(found.trades, limit, tradePlace, placeOfTrade);
      return freshJson(c, {
        address: account,
        chainId: chain.id,
        firstSeenAt: first_seen_at === null ? null : isoTime(first_seen_at),
        totals: toAccountTotals(found.account),
        creatorRecord: toCreatorRecord(found.account),
        holdings: holdings.rows.map(toHolding),
        createdTokens: createdTokens.rows.map(toCreatedToken),
        positions: positions.rows.map(toPosition),
        trades: trades.rows.map(toNamedTrade),
        nextCursor: {
          holdings: holdings.nextCursor,
          createdTokens: createdTokens.nextCursor,
          positions: positions.nextCursor,
          trades: trades.nextCursor,
        },
      });
    })
    .openapi(holdingsRoute, async (c) => {
      const { address } = c.req.valid("param");
      const { limit, cursor, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const page = { chainId: chain.id, account: address, after: cursor, limit: limit + 1 };
      const { rows, nextCursor } = pageOf(await readHoldings(db, page), limit, holdingPlace, placeOfHolding);
      const holdings = rows.map(toHolding);
      return freshJson(c, { address, chainId: chain.id, holdings, nextCursor });
    })
    .openapi(positionsRoute, async (c) => {
      const { address } = c.req.valid("param");
      const { limit, cursor, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const page = { chainId: chain.id, account: address, after: cursor, limit: limit + 1 };
      const { rows, nextCursor } = pageOf(
        await readPositions(db, page),
        limit,
        positionPlace,
        placeOfPosition,
      );
      const positions = rows.map(toPosition);
      return freshJson(c, { address, chainId: chain.id, positions, nextCursor });
    })
    .openapi(createdTokensRoute, async (c) => {
      const { address } = c.req.valid("param");
      const { limit, cursor, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const page = { chainId: chain.id, account: address, after: cursor, limit: limit + 1 };
      const { rows, nextCursor } = pageOf(
        await readCreatedTokens(db, page),
        limit,
        creationPlace,
        placeOfCreated,
      );
      const createdTokens = rows.map(toCreatedToken);
      return freshJson(c, { address, chainId: chain.id, createdTokens, nextCursor });
    });
}
