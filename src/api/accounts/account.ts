import type { Address } from "viem";
import { eventId } from "../../curve/event-id.ts";
import type { Chains } from "../chain/chains.ts";
import type { ReadDexFee } from "../chain/dex-fee.ts";
import { createNativeBalances } from "../chain/native-balance.ts";
import { type Database, inSnapshot, type PooledDatabase } from "../database/database.ts";
import {
  type CursorKind,
  creationPlace,
  holdingPlace,
  type KeysetPosition,
  pageOf,
  positionPlace,
  tradePlace,
} from "../http/cursor.ts";
import { createRouter } from "../http/router.ts";
import { indexBlockOf } from "../http/set-index-block.ts";
import { toCreatorRecord } from "../market/risk.mapper.ts";
import { isoTime } from "../market/time.ts";
import { readNamedTrades } from "../market/trades.query.ts";
import { placeOfTrade, toNamedTrade } from "../trades/trade.mapper.ts";
import { toAccountTotals, toCreatedToken, toHolding, toNativeBalance, toPosition } from "./account.mapper.ts";
import {
  type Account,
  accountRoute,
  type CreatedTokens,
  createdTokensRoute,
  type Holdings,
  holdingsRoute,
  type Positions,
  positionsRoute,
} from "./account.routes.ts";
import { readCreatedTokens, readHoldings, readPositions } from "./account-lists.query.ts";
import { readAccount } from "./account-totals.query.ts";

type Request = {
  chainId: number;
  account: Address;
  dexFee: bigint | null;
  /** Undefined: entries of every token. */
  mint: Address | undefined;
  after: KeysetPosition | undefined;
  limit: number;
};

/** Makes a reader of pages. It reads one entry more than the limit, to know whether there is a next page. */
const pageBy =
  <Row>(
    read: (db: Database, of: Request) => Promise<Row[]>,
    kind: CursorKind,
    placeOf: (row: Row) => KeysetPosition,
  ) =>
  async (db: Database, of: Request) =>
    pageOf(await read(db, { ...of, limit: of.limit + 1 }), of.limit, kind, placeOf);

const pageOfHoldings = pageBy(readHoldings, holdingPlace, ({ value, token }) => ({
  first: value,
  second: token,
}));
const pageOfPositions = pageBy(readPositions, positionPlace, ({ last_trade_at, token }) => ({
  first: last_trade_at,
  second: token,
}));
const pageOfCreatedTokens = pageBy(readCreatedTokens, creationPlace, (row) => ({
  first: row.created_at,
  second: eventId(row.created_block, row.created_log_index),
}));
const pageOfTrades = pageBy(
  (db, { chainId, account, mint, ...page }: Request) =>
    readNamedTrades(db, { chainId, mint, trader: account }, page),
  tradePlace,
  placeOfTrade,
);

type Query = { mint?: Address; limit: number; cursor?: KeysetPosition; chainId?: number };

const named = ({ account, chainId }: Request) => ({ address: account, chainId });

type AccountDeps = { chains: Chains; db: PooledDatabase; readDexFee: ReadDexFee };

export function createAccount({ chains, db, readDexFee }: AccountDeps) {
  const readNativeBalance = createNativeBalances();
  const asked = async (
    { address: account }: { address: Address },
    { mint, limit, cursor: after, chainId }: Query,
  ): Promise<Request> => {
    const chain = chains.choose(chainId);
    const dexFee = (await readDexFee(chain)) ?? null;
    return { chainId: chain.id, account, dexFee, mint, after, limit };
  };

  return createRouter()
    .openapi(accountRoute, async (c) => {
      const chain = chains.choose(c.req.valid("query").chainId);
      const reading = readNativeBalance(chain, c.req.valid("param").address, indexBlockOf(c));
      const of = await asked(c.req.valid("param"), c.req.valid("query"));
      // All of it as of one block, so that totals and lists agree.
      const { account, holdings, createdTokens, positions, trades } = await inSnapshot(db, async (tx) => ({
        account: await readAccount(tx, { chainId: of.chainId, account: of.account, dexFee: of.dexFee }),
        holdings: await pageOfHoldings(tx, of),
        createdTokens: await pageOfCreatedTokens(tx, of),
        positions: await pageOfPositions(tx, of),
        trades: await pageOfTrades(tx, of),
      }));
      const body: Account = {
        ...named(of),
        firstSeenAt: account.first_seen_at === null ? null : isoTime(account.first_seen_at),
        ...toNativeBalance(await reading, account.bnb_usd_x8),
        totals: toAccountTotals(account),
        creatorRecord: toCreatorRecord(account),
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
      };
      return c.json(body, 200);
    })
    .openapi(holdingsRoute, async (c) => {
      const of = await asked(c.req.valid("param"), c.req.valid("query"));
      const { rows, nextCursor } = await pageOfHoldings(db, of);
      const body: Holdings = { ...named(of), holdings: rows.map(toHolding), nextCursor };
      return c.json(body, 200);
    })
    .openapi(positionsRoute, async (c) => {
      const of = await asked(c.req.valid("param"), c.req.valid("query"));
      const { rows, nextCursor } = await pageOfPositions(db, of);
      const body: Positions = { ...named(of), positions: rows.map(toPosition), nextCursor };
      return c.json(body, 200);
    })
    .openapi(createdTokensRoute, async (c) => {
      const of = await asked(c.req.valid("param"), c.req.valid("query"));
      const { rows, nextCursor } = await pageOfCreatedTokens(db, of);
      const body: CreatedTokens = { ...named(of), createdTokens: rows.map(toCreatedToken), nextCursor };
      return c.json(body, 200);
    });
}
