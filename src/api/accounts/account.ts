import type { Address } from "viem";
import { eventId } from "../../domain/ids.ts";
import type { Chains } from "../chain/chains.ts";
import type { ReadDexFee } from "../chain/dex-terms.ts";
import { createNativeBalanceReader } from "../chain/native-balance.ts";
import { askChain } from "../concurrency/read-lanes.ts";
import { type Database, inSnapshot, type PooledDatabase } from "../database/database.ts";
import { setIndexBlock } from "../http/common-headers.ts";
import {
  type AskedPage,
  type CursorKind,
  chainPosition,
  creationCursor,
  holdingCursor,
  type KeysetPage,
  type KeysetPosition,
  positionCursor,
  readPage,
  tradeCursor,
} from "../http/cursor.ts";
import { createRouter } from "../http/router.ts";
import { toCreatorRecord } from "../market/market.mapper.ts";
import { isoTime } from "../market/time.ts";
import { readNamedTrades } from "../market/trades.query.ts";
import { readIndexState } from "../ponder/index-state.query.ts";
import { toNamedTrade } from "../trades/trade.schema.ts";
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
import { readAccount, readCreatedTokens, readHoldings, readPositions } from "./accounts.query.ts";

type AccountScope = {
  chainId: number;
  account: Address;
  dexFee: bigint | null;
  /** Undefined for entries of every token. */
  mint: Address | undefined;
};
type AccountRequest = AccountScope & AskedPage;

const createPageReader =
  <Row>(
    read: (db: Database, request: AccountScope & KeysetPage) => Promise<Row[]>,
    kindOf: (request: AccountScope) => CursorKind,
    positionOf: (row: Row) => KeysetPosition,
  ) =>
  (db: Database, { cursor, limit, ...request }: AccountRequest) =>
    readPage({ cursor, limit }, kindOf(request), positionOf, (page) => read(db, { ...request, ...page }));

const readHoldingsPage = createPageReader(readHoldings, holdingCursor, ({ value, token }) => ({
  first: value,
  second: token,
}));
const readPositionsPage = createPageReader(readPositions, positionCursor, ({ last_trade_at, token }) => ({
  first: last_trade_at ?? "0",
  second: token,
}));
const readCreatedTokensPage = createPageReader(readCreatedTokens, creationCursor, (row) => ({
  first: row.created_at,
  second: eventId(row.created_block, row.created_log_index),
}));
const readTradesPage = createPageReader(
  (db, { chainId, account, mint, ...page }) => readNamedTrades(db, { chainId, mint, trader: account }, page),
  ({ account: trader, ...request }) => tradeCursor({ ...request, trader }),
  chainPosition,
);

type Query = AskedPage & { mint?: Address; chainId?: number };

const accountFields = ({ account, chainId }: AccountRequest) => ({ address: account, chainId });

type AccountDeps = { chains: Chains; db: PooledDatabase; readDexFee: ReadDexFee };

export function createAccount({ chains, db, readDexFee }: AccountDeps) {
  const readNativeBalance = createNativeBalanceReader();
  const toRequest = async (
    { address: account }: { address: Address },
    { mint, limit, cursor, chainId }: Query,
  ): Promise<AccountRequest> => {
    const chain = chains.choose(chainId);
    const dexFee = (await readDexFee(chain)) ?? null;
    return { chainId: chain.id, account, dexFee, mint, cursor, limit };
  };

  return createRouter()
    .openapi(accountRoute, async (c) => {
      const chain = chains.choose(c.req.valid("query").chainId);
      const request = await toRequest(c.req.valid("param"), c.req.valid("query"));
      // A single snapshot, so that totals and lists agree, and its block, at which the BNB balance is read as well.
      const { account, holdings, createdTokens, positions, trades, index } = await inSnapshot(
        db,
        async (tx) => ({
          index: await readIndexState(tx),
          account: await readAccount(tx, {
            chainId: request.chainId,
            account: request.account,
            dexFee: request.dexFee,
          }),
          holdings: await readHoldingsPage(tx, request),
          createdTokens: await readCreatedTokensPage(tx, request),
          positions: await readPositionsPage(tx, request),
          trades: await readTradesPage(tx, request),
        }),
      );
      const block = index.chains.find(({ chainId }) => chainId === chain.id)?.block;
      setIndexBlock(c, chain.id, block);
      const nativeBalance = await askChain(c, () => readNativeBalance(chain, request.account, block));
      const body: Account = {
        ...accountFields(request),
        firstSeenAt: account.first_seen_at === null ? null : isoTime(account.first_seen_at),
        ...toNativeBalance(nativeBalance, account.bnb_usd_x8),
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
      const request = await toRequest(c.req.valid("param"), c.req.valid("query"));
      const { rows, nextCursor } = await readHoldingsPage(db, request);
      const body: Holdings = { ...accountFields(request), holdings: rows.map(toHolding), nextCursor };
      return c.json(body, 200);
    })
    .openapi(positionsRoute, async (c) => {
      const request = await toRequest(c.req.valid("param"), c.req.valid("query"));
      const { rows, nextCursor } = await readPositionsPage(db, request);
      const body: Positions = { ...accountFields(request), positions: rows.map(toPosition), nextCursor };
      return c.json(body, 200);
    })
    .openapi(createdTokensRoute, async (c) => {
      const request = await toRequest(c.req.valid("param"), c.req.valid("query"));
      const { rows, nextCursor } = await readCreatedTokensPage(db, request);
      const body: CreatedTokens = {
        ...accountFields(request),
        createdTokens: rows.map(toCreatedToken),
        nextCursor,
      };
      return c.json(body, 200);
    });
}
