import { createBatchLoader } from "../../concurrency/batch-loader.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { toCompactToken } from "./compact/compact-token.mapper.ts";
import type { CompactToken } from "./compact/compact-token.schema.ts";
import { readCompactTokens } from "./compact/compact-tokens.query.ts";
import { chooseFields } from "./fields/choose-fields.ts";
import type { TokenField } from "./fields/token-fields.schema.ts";
import type { views } from "./token-page.schema.ts";

/** What a page has of each token. Fields are of full entries. */
export type Form = { view: (typeof views)[number]; fields?: readonly TokenField[] | undefined };

/** A row of a page as the bytes of its JSON, in parts, and a text that is the same only for the same bytes. */
export type PageRow = { parts: readonly Buffer[]; tag: string };

export type PageRowsDeps = {
  db: PooledDatabase;
  /** Full entries, by registration id. */
  loadEntries: (ids: number[]) => Promise<Map<number, PageRow>>;
  /** Batches of compact rows to read at a time. */
  compactBatches: number;
};

/** The rows of a page, and what comes before them in it. */
export type PageRows = { begin: string; rows: PageRow[] };

/** Puts together the rows of pages, of the registrations with these ids, in one of the forms. */
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

  return async ({ view, fields }: Form, ids: number[]): Promise<PageRows> => {
    if (view === "compact") {
      const rows = inOrder(ids, await loadCompact(ids));
      return { begin: `"view":"compact",`, rows: rows.map(rowOf) };
    }
    const rows = inOrder(ids, await loadEntries(ids));
    if (fields === undefined) return { begin: "", rows };
    const choose = ({ parts }: PageRow) =>
      rowOf(chooseFields(JSON.parse(Buffer.concat(parts).toString()), fields));
    return { begin: `"fields":${JSON.stringify(fields)},`, rows: rows.map(choose) };
  };
}

function rowOf(value: object): PageRow {
  const tag = JSON.stringify(value);
  return { parts: [Buffer.from(tag)], tag };
}

/** A reorg may have taken one since the page was selected. */
function inOrder<Row>(ids: number[], rows: Map<number, Row>): Row[] {
  return ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
}
