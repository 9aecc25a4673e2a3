import type { EntryChanges } from "../cache/entry-changes.ts";
import { highestId, unpackTokens } from "../unpack-tokens.ts";
import type { ListOrder } from "./list-order.ts";

/**
 * Loads the result of readAllListedTokens.
 *
 * @returns the ids of registrations that a reorg may still change
 */
export async function loadList(
  { order, entries }: { order: ListOrder; entries: EntryChanges },
  packed: Buffer[],
  registry: number,
): Promise<number[]> {
  const volatileIds: number[] = [];
  function* tokensIn(some: Buffer) {
    for (const token of unpackTokens(some)) {
      if (token.isVolatile) volatileIds.push(token.id);
      entries.setCreator(token.id, token.creator);
      yield token;
    }
  }
  function* parts() {
    for (const some of packed) yield tokensIn(some);
  }
  await order.load(parts(), highestId(packed), registry);
  return volatileIds;
}
