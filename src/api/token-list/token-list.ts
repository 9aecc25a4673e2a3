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
 * Creates the token list of all chains, as JSON. The returned function resolves to a list that is no older than its call, or to
 * undefined if there is no token to list, since the standard requires one.
 */
export function createTokenList(db: PooledDatabase): () => Promise<SharedJson<TokenList> | undefined> {
  let cached: { key: string; list: SharedJson<TokenList> | undefined } | undefined;

  return singleFlight(async () => {
    const key = cacheKey(await readIndexStatePrepared(db));
    if (cached?.key !== key)
      cached = await inSnapshot(db, async (tx) => {
        const state = await readIndexState(tx);
        const [rows, moderated] = [await collectTokens(tx, state.chains), await readModeratedVersion(tx)];
        return { key: cacheKey(state), list: await toJson(rows, moderated) };
      });
    return cached.list;
  });
}

/** The list changes only when a registration is written or a block becomes final. */
function cacheKey({ registry, chains }: IndexState): string {
  return JSON.stringify([registry, chains.map(({ chainId, safe }) => [chainId, safe])]);
}

/** Tokens mapped at a time: other requests are answered in between. */
const batchSize = 500;

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
  for (let from = 0; from < rows.length; from += batchSize) {
    for (const row of rows.slice(from, from + batchSize)) tokens.push(toListedToken(row, isListableUrl));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return shareJson(toTokenList(rows, tokens, version));
}
