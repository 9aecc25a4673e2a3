import type pg from "pg";
import type { DenyList } from "../../config/deny-list/deny-list.ts";
import { inSnapshot } from "../../offchain/connection.ts";
import type { ModerationStore, TokenKey } from "../../offchain/moderation-store.ts";
import { readRegistrations } from "../../offchain/read-registrations.ts";

export type ApplyOptions = {
  pool: pg.Pool;
  store: Pick<ModerationStore, "hide">;
  list: DenyList;
  /** Whether to only report what would be hidden. */
  isDry: boolean;
  log: (line: string) => void;
};

/** Hides every token whose registration matches the deny list. Resolves to their number. */
export async function applyDenyList({ pool, store, list, isDry, log }: ApplyOptions): Promise<number> {
  const found: (TokenKey & { reason: string })[] = [];
  await inSnapshot(pool, async (client) => {
    for await (const { hidden, chainId, mint, ...content } of readRegistrations(client)) {
      const fields = hidden === undefined ? list.deniedIn(content) : [];
      if (fields.length === 0) continue;
      found.push({ chainId, mint, reason: `its ${fields.join(", ")} is on the deny list` });
    }
  });
  for (const { reason, ...token } of found) {
    if (!isDry) await store.hide(token, { reason });
    log(`${token.mint} on chain ${token.chainId}: ${reason}`);
  }
  return found.length;
}
