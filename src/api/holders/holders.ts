import type { Address } from "viem";
import { dayOf } from "../../domain/intervals.ts";
import type { Chains } from "../chain/chains.ts";
import { nothingIndexed, unknownToken } from "../chain/not-found.ts";
import { type Database, inSnapshot, type PooledDatabase } from "../database/database.ts";
import { acceptedType, toCsv } from "../http/accepted-type.ts";
import { holderCursor, rankedOffset, toRankedPage } from "../http/cursor.ts";
import { invalidParameter, ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { toAccountLabels, toRisk } from "../market/market.mapper.ts";
import { floorPercent, floorRatio } from "../market/price.ts";
import { daySeconds, isoDay, isoTime } from "../market/time.ts";
import { type IndexedChain, readIndexState } from "../ponder/index-state.query.ts";
import { type HolderRow, type HoldersQuery, readHolders, readTokenSupply } from "./holders.query.ts";
import {
  type Holder,
  type HolderDays,
  type Holders,
  holderDaysRoute,
  holdersRoute,
  maxBalances,
  maxCsvRows,
  maxRank,
  selectionOf,
} from "./holders.routes.ts";
import {
  type BlockOrTime,
  findLastMovement,
  readBalancesAt,
  readHeldToken,
  readHolderDays,
} from "./past-balances.query.ts";

export function createHolders({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  async function readNow(page: HoldersQuery) {
    const { chainId, mint } = page;
    const { token, rows } = await inSnapshot(db, async (tx) => {
      const token = await readTokenSupply(tx, chainId, mint);
      if (token === undefined) throw unknownToken(mint, chainId);
      return { token, rows: await readHolders(tx, page) };
    });
    const { holderCount, totalSupplyRaw } = token;
    const ahead = rows[0]?.ahead ?? 0;
    return { token, rows, ahead, holderCount, totalSupplyRaw, risk: toRisk(token, totalSupplyRaw) };
  }

  async function readAt(page: HoldersQuery, at: Parameters<typeof readHoldersAt>[1]["at"]) {
    const { held: token, asOf, ...balances } = await readHoldersAt(db, { ...page, at });
    return { token, ...balances, asOf: asOf && { block: asOf.block, time: isoTime(asOf.time) } };
  }

  return createRouter().openapi(holdersRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { page, cursor, limit, chainId: asked, at } = c.req.valid("query");
    const { id: chainId } = chains.choose(asked);
    if (acceptedType(c, ["application/json", "text/csv"], "application/json") === "text/csv") {
      const all = await readAt({ chainId, mint, offset: 0, limit: maxCsvRows + 1 }, at);
      if (all.rows.length > maxCsvRows) throw tooManyHolders();
      const name = `${mint}-${all.asOf?.block ?? 0}.csv`;
      return c.text(formatHolders(all), 200, {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="${name}"`,
      });
    }
    const offset = rankedOffset(
      { cursor, page, limit },
      maxRank,
      "CSV (Accept: text/csv) has all holders, and GraphQL's holders can be paged without this limit",
    );
    const selection = selectionOf(chainId, mint, at);
    if (cursor !== undefined && cursor.selection !== selection) {
      throw invalidParameter(
        "cursor",
        "is of another token, chain or time: repeat those of its page, or start again without cursor",
      );
    }
    // One row more than the page, to know whether there is a next page.
    const wanted = { chainId, mint, after: cursor?.position, offset, limit: limit + 1 };
    const { token, rows, ahead, totalSupplyRaw, ...more } = await (at === undefined
      ? readNow(wanted)
      : readAt(wanted, at));
    const kind = holderCursor(selection);
    const onPage = toRankedPage(rows, { ahead, page, limit, maxRank, kind }, (row) => ({
      first: String(row.balanceRaw),
      second: row.account,
    }));
    const body: Holders = {
      mint,
      chainId,
      totalSupplyRaw: String(totalSupplyRaw),
      ...more,
      holders: onPage.rows.map((row, index) =>
        toHolder(row, ahead + index + 1, { ...token, totalSupplyRaw }),
      ),
      ...onPage.place,
    };
    return c.json(body, 200);
  });
}

function tooManyHolders(): ProblemException {
  return new ProblemException({
    status: 400,
    code: "answer_too_large",
    detail: `The token has more than ${maxCsvRows} holders: read their balances with GraphQL or SQL.`,
  });
}

function toHolder(row: HolderRow, rank: number, token: { creator: string; totalSupplyRaw: bigint }): Holder {
  return {
    rank,
    address: row.account,
    balanceRaw: String(row.balanceRaw),
    percent: floorPercent(row.balanceRaw, token.totalSupplyRaw),
    label: labelOf(row, token.creator),
    earlyBuyer: row.earlyBlock !== null,
    labels: toAccountLabels({
      account: row.account,
      creator: token.creator,
      early_block: row.earlyBlock,
      insider_hops: row.insiderHops,
    }),
  };
}

function labelOf({ kind, account }: HolderRow, creator: string): Holder["label"] {
  if (kind !== "account") return kind;
  return account === creator ? "creator" : null;
}

type CsvHolders = { rows: readonly HolderRow[]; token: { creator: string }; totalSupplyRaw: bigint };

const columns = ["address", "balance_raw", "percent", "label"];

/** Formats holders as CSV. No spreadsheet could take a cell for a formula: none has text of anybody else's. */
function formatHolders({ rows, token, totalSupplyRaw }: CsvHolders): string {
  const cells = rows.map((row) => [
    row.account,
    row.balanceRaw,
    floorPercent(row.balanceRaw, totalSupplyRaw),
    labelOf(row, token.creator),
  ]);
  return toCsv(columns, cells);
}

export function createHolderDays({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter().openapi(holderDaysRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { days, chainId: asked } = c.req.valid("query");
    const { id: chainId } = chains.choose(asked);
    const ofToken = { chainId, mint };
    const { head, firstDay, lastDay, rows } = await inSnapshot(db, async (tx) => {
      const { held, head } = await readHeldTokenAndHead(tx, ofToken);
      const lastDay = dayOf(BigInt(head.timestamp));
      const wantedDay = Math.max(dayOf(held.createdAt), lastDay - days + 1);
      const graduatedDay = held.graduatedAt === null ? null : dayOf(held.graduatedAt);
      const rows = await readHolderDays(tx, {
        ...ofToken,
        firstDay: wantedDay,
        lastDay,
        graduatedDay,
        maxBalances,
      });
      return { head, firstDay: rows[0]?.first_day ?? wantedDay, lastDay, rows };
    });
    const byDay = new Map(rows.map((row) => [row.day, row]));
    const body: HolderDays = {
      mint,
      chainId,
      asOf: { block: head.block, time: isoTime(head.timestamp) },
      days: Array.from({ length: lastDay - firstDay + 1 }, (_, index): HolderDays["days"][number] => {
        const day = firstDay + index;
        const { holders = 0, circulating = 0, squares = 0, top10 = 0 } = byDay.get(day) ?? {};
        const all = BigInt(circulating);
        return {
          day: isoDay(day * daySeconds),
          holders,
          top10Percent: floorRatio(BigInt(top10) * 100n, all),
          effectiveHolders: floorRatio(all * all, BigInt(squares)),
        };
      }),
    };
    return c.json(body, 200);
  });
}

type HoldersAtQuery = HoldersQuery & { at: BlockOrTime | undefined };

/** Reads a page of those who held a token at a block or a time, by default at the last indexed block. */
async function readHoldersAt(db: PooledDatabase, { at, ...page }: HoldersAtQuery) {
  return await inSnapshot(db, async (tx) => {
    const { held, head } = await readHeldTokenAndHead(tx, page);
    if (at !== undefined) assertIndexed(at, head);
    const asOf = await findLastMovement(tx, { ...page, at: at ?? head });
    if (asOf === undefined)
      return { held, asOf: null, holderCount: 0, totalSupplyRaw: 0n, ahead: 0, rows: [] };
    const balances = await readBalancesAt(tx, { ...page, held, at: asOf, now: head.timestamp });
    return { held, asOf, ...balances };
  });
}

/** Reads a token, and how far its chain is indexed. */
async function readHeldTokenAndHead(tx: Database, ofToken: { chainId: number; mint: Address }) {
  const { chainId, mint } = ofToken;
  const held = await readHeldToken(tx, ofToken);
  if (held === undefined) throw unknownToken(mint, chainId);
  const head = (await readIndexState(tx)).chains.find((chain) => chain.chainId === chainId);
  if (head === undefined) throw nothingIndexed(chainId);
  return { held, head };
}

function assertIndexed(at: BlockOrTime, { chainId, block, timestamp }: IndexedChain): void {
  if ("block" in at ? at.block <= block : at.time <= timestamp) return;
  const [wanted, indexed, advice] =
    "block" in at
      ? [`Block ${at.block}`, `block ${block}`, " A time has the form 2026-01-31T12:00:00Z."]
      : [isoTime(at.time), `block ${block} of ${isoTime(timestamp)}`, ""];
  throw new ProblemException({
    status: 404,
    code: "block_not_indexed",
    detail: `${wanted} (at) is after the last indexed block of chain ${chainId}, ${indexed}. With minBlock, a request waits for a block.${advice}`,
  });
}
