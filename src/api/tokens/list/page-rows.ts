import { createBatchLoader } from "../../concurrency/single-flight.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { formatAmount, formatPrice, marketCapBnb, toSixDigits } from "../../market/price.ts";
import { isoTime } from "../../market/time.ts";
import { chooseFields } from "../entry/token-entry.mapper.ts";
import type { TokenEntry, TokenField } from "../entry/token-entry.schema.ts";
import { type CompactTokenRow, readCompactTokens } from "./compact-tokens.query.ts";
import type { CompactToken, views } from "./token-page.schema.ts";

/** The form of a page's rows. `fields` applies to full entries. */
export type RowForm = { view: (typeof views)[number]; fields?: readonly TokenField[] | undefined };

/** A row of a page as the bytes of its JSON, in parts, and a tag that is equal only for equal bytes. */
export type PageRow = { parts: readonly Buffer[]; tag: string };

export type PageRowsDeps = {
  db: PooledDatabase;
  /** Full entries, by registration id. */
  loadEntries: (ids: number[]) => Promise<Map<number, PageRow>>;
  /** Batches of compact rows to read at a time. */
  compactBatches: number;
};

/** The rows of a page, and the JSON that comes before them. */
export type PageRows = { begin: string; rows: PageRow[] };

/** Creates a function that loads the rows of a page, given registration ids and a form. */
export function createPageRows({ db, loadEntries, compactBatches }: PageRowsDeps) {
  const loadCompact = createBatchLoader(
    async (ids: number[]) =>
      new Map(
        (await readCompactTokens(db, ids)).map((row): [number, CompactToken] => [
          row.id,
          toCompactToken(row),
        ]),
      ),
    { maxKeys: 1_000, concurrency: compactBatches },
  );

  return async ({ view, fields }: RowForm, ids: number[]): Promise<PageRows> => {
    if (view === "compact") {
      const rows = inOrder(ids, await loadCompact(ids));
      return { begin: `"view":"compact",`, rows: rows.map(toPageRow) };
    }
    const rows = inOrder(ids, await loadEntries(ids));
    if (fields === undefined) return { begin: "", rows };
    const choose = ({ parts }: PageRow) => {
      const entry: TokenEntry = JSON.parse(Buffer.concat(parts).toString());
      return toPageRow(chooseFields(entry, fields));
    };
    return { begin: `"fields":${JSON.stringify(fields)},`, rows: rows.map(choose) };
  };
}

function toPageRow(value: object): PageRow {
  const tag = JSON.stringify(value);
  return { parts: [Buffer.from(tag)], tag };
}

/** Leaves out missing rows, since a reorg may have removed a token after the page was selected. */
function inOrder<Row>(ids: number[], rows: Map<number, Row>): Row[] {
  return ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
}

function toCompactToken(row: CompactTokenRow): CompactToken {
  return {
    mint: row.mint,
    name: row.name,
    symbol: row.symbol,
    createdAt: isoTime(row.created_at),
    progress: row.progress,
    priceBnb: toSixDigits(formatPrice(row.price_bnb_x36)),
    marketCapBnb: toSixDigits(marketCapBnb(row.price_bnb_x36, row.total_supply_raw)),
    volume24hBnb: toSixDigits(formatAmount(row.volume_24h_wei)),
    holderCount: row.holder_count,
  };
}
