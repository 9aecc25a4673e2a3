import { alwaysFresh } from "../../lib/always-fresh.ts";
import { inSnapshot, type PooledDatabase } from "../../lib/database.ts";
import { etagOf } from "../../lib/etag.ts";
import { toTokenList } from "../../mappers/token-list.ts";
import { type IndexState, readIndexState, readIndexStateOften } from "../../queries/index-state.ts";
import { collectTokens } from "./collect-tokens.ts";
import { isListableUrl } from "./rules.ts";
import { listVersion } from "./version.ts";

/** As bytes, which all answers share: of a long list, each would have megabytes of its own. */
export type TokenList = { body: Uint8Array<ArrayBuffer>; etag: string };

/**
 * The token list of all chains, as JSON. The returned function resolves to the list as of a moment after it was called, or
 * to undefined where there is no token to list: a list must have one.
 */
export function createTokenList(db: PooledDatabase): () => Promise<TokenList | undefined> {
  let made: { key: string; list: TokenList | undefined } | undefined;

  return alwaysFresh(async () => {
    const key = keyOf(await readIndexStateOften(db));
    if (made?.key !== key)
      made = await inSnapshot(db, async (tx) => {
        const state = await readIndexState(tx);
        return { key: keyOf(state), list: toJson(await collectTokens(tx, state.chains)) };
      });
    return made.list;
  });
}

/** Without a registration that is written or a block that becomes final, the list stays what it is. */
function keyOf({ registry, chains }: IndexState): string {
  return JSON.stringify([registry, chains.map(({ chainId, safe }) => [chainId, safe])]);
}

function toJson(rows: Awaited<ReturnType<typeof collectTokens>>): TokenList | undefined {
  if (rows.length === 0) return undefined;
  const version = listVersion(
    rows.map((row) => ({
      verified: row.verified,
      graduated: row.graduated_at !== null,
      version: Number(row.version),
    })),
  );
  const body = JSON.stringify(toTokenList(rows, version, isListableUrl));
  return { body: new TextEncoder().encode(body), etag: etagOf(body) };
}
