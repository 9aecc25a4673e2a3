import { singleFlight } from "../concurrency/single-flight.ts";
import { inSnapshot, type PooledDatabase } from "../database/database.ts";
import { type SharedJson, shareJson } from "../http/shared-json.ts";
import { type IndexState, readIndexState, readIndexStatePrepared } from "../ponder/index-state.query.ts";
import { collectTokens } from "./collect-tokens.ts";
import { type ListableRow, readModeratedVersion } from "./listable-tokens.query.ts";
import { isListableUrl } from "./rules.ts";
import { toListedToken, toTokenList } from "./token-list.mapper.ts";
import type { ListedToken, TokenList } from "./token-list.routes.ts";
import { listVersion } from "./version.ts";

/**
 * The token list of all chains, as JSON. The returned function resolves to the list as of a moment after it was called, or
 * to undefined where there is no token to list: a list must have one.
 */
export function createTokenList(db: PooledDatabase): () => Promise<SharedJson<TokenList> | undefined> {
  let made: { key: string; list: SharedJson<TokenList> | undefined } | undefined;

  return singleFlight(async () => {
    const key = keyOf(await readIndexStatePrepared(db));
    if (made?.key !== key)
      made = await inSnapshot(db, async (tx) => {
        const state = await readIndexState(tx);
        const [rows, moderated] = [await collectTokens(tx, state.chains), await readModeratedVersion(tx)];
        return { key: keyOf(state), list: await toJson(rows, moderated) };
      });
    return made.list;
  });
}

/** Without a registration that is written or a block that becomes final, the list stays what it is. */
function keyOf({ registry, chains }: IndexState): string {
  return JSON.stringify([registry, chains.map(({ chainId, safe }) => [chainId, safe])]);
}

/** Tokens that are made at a time: other requests are answered in between. */
const batch = 500;

async function toJson(rows: ListableRow[], moderated: number): Promise<SharedJson<TokenList> | undefined> {
  if (rows.length === 0) return undefined;
  const version = listVersion(
    rows.map((row) => ({
      verified: row.verified,
      graduated: row.graduated_at !== null,
      version: Number(row.version),
    })),
    { moderated },
  );
  const tokens: ListedToken[] = [];
  for (let from = 0; from < rows.length; from += batch) {
    for (const row of rows.slice(from, from + batch)) tokens.push(toListedToken(row, isListableUrl));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return shareJson(toTokenList(rows, tokens, version));
}
