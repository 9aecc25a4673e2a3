import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import { inSnapshot, type PooledDatabase } from "../database/database.ts";
import { acceptedType, toCsv } from "../http/accepted-type.ts";
import { holderCursor, rankedOffset, toRankedPage } from "../http/cursor.ts";
import { invalidParameter, ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { floorPercent } from "../market/price.ts";
import { toAccountLabels, toRisk } from "../market/risk.mapper.ts";
import { isoTime } from "../market/time.ts";
import { type HolderRow, type HoldersQuery, readHolders, readTokenSupply } from "./holders.query.ts";
import {
  type Holder,
  type Holders,
  holdersRoute,
  maxCsvRows,
  maxRank,
  selectionOf,
} from "./holders.routes.ts";
import { readHoldersAt } from "./holders-at.ts";

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
