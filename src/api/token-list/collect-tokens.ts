import type { Database } from "../database/database.ts";
import type { IndexedChain } from "../ponder/index-state.query.ts";
import {
  type ListableRow,
  readGraduatedTokens,
  readOtherTokens,
  readVerifiedTokens,
} from "./listable-tokens.query.ts";
import { isListableName, isListableSymbol, mostTokens } from "./rules.ts";

/** Rows read at a time: so few that each query looks them up one by one, in tables of any size. */
const page = 500;

/**
 * The tokens of the list, in its order: verified ones as they were registered, then those that have graduated as they did,
 * then the others as they were registered, until the list is full.
 */
export async function collectTokens(
  db: Database,
  chains: IndexedChain[],
  capacity: number = mostTokens,
): Promise<ListableRow[]> {
  const list = await collect(capacity, (last, limit) =>
    readVerifiedTokens(db, chains, { after: last?.id ?? 0, limit }),
  );
  const graduated: ListableRow[] = [];
  for (const chain of chains) {
    const found = await collect(capacity - list.length, (last, limit) =>
      readGraduatedTokens(db, chain, { after: graduationOf(last), limit }),
    );
    graduated.push(...found);
  }
  list.push(...graduated.sort(byGraduation).slice(0, capacity - list.length));
  const others = await collect(capacity - list.length, (last, limit) =>
    readOtherTokens(db, chains, { after: last?.id ?? 0, limit }),
  );
  return [...list, ...others];
}

/** Up to `most` rows that are listable. `read` brings those after the last one. */
async function collect(
  most: number,
  read: (last: ListableRow | undefined, limit: number) => Promise<ListableRow[]>,
): Promise<ListableRow[]> {
  const found: ListableRow[] = [];
  let last: ListableRow | undefined;
  while (found.length < most) {
    const rows = await read(last, page);
    for (const row of rows) {
      if (found.length < most && isListable(row)) found.push(row);
    }
    if (rows.length < page) break;
    last = rows.at(-1);
  }
  return found;
}

const isListable = (row: ListableRow) =>
  row.is_listable && isListableName(row.name) && isListableSymbol(row.symbol);

function graduationOf(row: ListableRow | undefined) {
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
