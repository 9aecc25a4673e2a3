import { setImmediate as nextTick } from "node:timers/promises";
import { singleFlight } from "../concurrency/single-flight.ts";
import { inSnapshot, type PooledDatabase } from "../database/database.ts";
import { type SharedJson, shareBytes } from "../http/shared-json.ts";
import { type IndexState, readIndexState, readIndexStatePrepared } from "../ponder/index-state.query.ts";
import { collectTokens } from "./collect-tokens.ts";
import { type ListableRow, readModeratedVersion } from "./listable-tokens.query.ts";
import { isListableUrl } from "./rules.ts";
import { toListedToken, toTokenList } from "./token-list.mapper.ts";
import type { TokenList } from "./token-list.routes.ts";
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

/** Tokens mapped and serialized at a time, in about half a millisecond: other requests are answered in between. */
const batchSize = 50;

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
  // The tokens come last in the list.
  const parts = [Buffer.from(JSON.stringify(toTokenList(rows, [], version)).slice(0, -"]}".length))];
  for (let from = 0; from < rows.length; from += batchSize) {
    const tokens = rows.slice(from, from + batchSize).map((row) => toListedToken(row, isListableUrl));
    parts.push(Buffer.from(`${from === 0 ? "" : ","}${JSON.stringify(tokens).slice(1, -1)}`));
    await nextTick();
  }
  return shareBytes(Buffer.concat([...parts, Buffer.from("]}")]));
}
