import { createBatchLoader } from "../../concurrency/batch-loader.ts";
import type { PooledDatabase } from "../../database/database.ts";
import type { TokenEntry } from "../entry/token-entry.schema.ts";
import { toCompactToken } from "./compact/compact-token.mapper.ts";
import type { CompactToken } from "./compact/compact-token.schema.ts";
import { readCompactTokens } from "./compact/compact-tokens.query.ts";
import { chooseFields } from "./fields/choose-fields.ts";
import type { TokenField } from "./fields/token-fields.schema.ts";
import type { AnyTokenPage, views } from "./token-page.schema.ts";

/** What a page has of each token. Fields are of full entries. */
export type Form = { view: (typeof views)[number]; fields?: readonly TokenField[] | undefined };

export type PageRowsDeps = {
  db: PooledDatabase;
  /** Full entries by registration id. */
  loadEntries: (ids: number[]) => Promise<Map<number, TokenEntry>>;
  /** Batches of compact rows to read at a time. */
  compactBatches: number;
};

type Place = Pick<AnyTokenPage, "total" | "page" | "limit" | "hasMore">;

/** Puts together pages, of the registrations with these ids, in one of the forms. */
export function createPageRows({ db, loadEntries, compactBatches }: PageRowsDeps) {
  const loadCompact = createBatchLoader(
    async (ids: number[]) =>
      new Map(
        (await readCompactTokens(db, ids)).map((row): [number, CompactToken] => [
          row.id,
          toCompactToken(row),
        ]),
      ),
    { most: 1_000, running: compactBatches },
  );

  return async ({ view, fields }: Form, ids: number[], place: Place): Promise<AnyTokenPage> => {
    if (view === "compact") return { view, tokens: inOrder(ids, await loadCompact(ids)), ...place };
    const tokens = inOrder(ids, await loadEntries(ids));
    if (fields === undefined) return { tokens, ...place };
    return { fields: [...fields], tokens: tokens.map((entry) => chooseFields(entry, fields)), ...place };
  };
}

/** A reorg may have taken one since the page was selected. */
function inOrder<Row>(ids: number[], rows: Map<number, Row>): Row[] {
  return ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
}
