import type { Database } from "../database/database.ts";
import type { IndexedChain } from "../ponder/index-state.query.ts";
import {
  type ListableRow,
  readGraduatedTokens,
  readOtherTokens,
  readVerifiedTokens,
} from "./listable-tokens.query.ts";
import { isListableName, isListableSymbol, maxTokens } from "./rules.ts";

/** Rows read at a time: few enough that Postgres looks them up by index, in tables of any size. */
const pageSize = 500;

/**
 * Reads the tokens of the list in its order, until the list is full: first verified tokens by registration, then graduated ones
 * by graduation, then the others by registration.
 */
export async function collectTokens(
  db: Database,
  chains: IndexedChain[],
  capacity: number = maxTokens,
): Promise<ListableRow[]> {
  const list = await collect(capacity, (last, limit) =>
    readVerifiedTokens(db, chains, { after: last?.id ?? 0, limit }),
  );
  const graduated: ListableRow[] = [];
  for (const chain of chains) {
    const found = await collect(capacity - list.length, (last, limit) =>
      readGraduatedTokens(db, chain, { after: toGraduation(last), limit }),
    );
    graduated.push(...found);
  }
  list.push(...graduated.sort(byGraduation).slice(0, capacity - list.length));
  const others = await collect(capacity - list.length, (last, limit) =>
    readOtherTokens(db, chains, { after: last?.id ?? 0, limit }),
  );
  return [...list, ...others];
}

/** Collects up to `max` listable rows. `read` returns a page of rows after the last one. */
async function collect(
  max: number,
  read: (last: ListableRow | undefined, limit: number) => Promise<ListableRow[]>,
): Promise<ListableRow[]> {
  const found: ListableRow[] = [];
  let last: ListableRow | undefined;
  while (found.length < max) {
    const rows = await read(last, pageSize);
    for (const row of rows) {
      if (found.length < max && isListable(row)) found.push(row);
    }
    if (rows.length < pageSize) break;
    last = rows.at(-1);
  }
  return found;
}

const isListable = (row: ListableRow) =>
  row.is_listable && isListableName(row.name) && isListableSymbol(row.symbol);

function toGraduation(row: ListableRow | undefined) {
  return row === undefined || row.graduated_at === null
    ? undefined
    : { graduatedAt: row.graduated_at, mint: row.mint };
}

function byGraduation(left: ListableRow, right: ListableRow): number {
  return (
    Number(left.graduated_at) - Number(right.graduated_at) ||
    left.chain_id - right.chain_id ||
    (left.mint < right.mint ? -1 : 1)
  );
}
