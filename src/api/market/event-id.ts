/*
 * The id of an event in answers, `<chain>-<block>-<log index>`, such as `56-000045612378-000042`: unique over chains, so that caches
 * can take it for the identity of a row. Tables have the chain in a column of its own, and `id` is what follows it (src/domain/ids.ts).
 */

/** Returns the id of an event in answers. */
export const chainEventId = (chainId: number, id: string): string => `${chainId}-${id}`;

/** The id of a table, and the chain that stood before it; undefined in ids of earlier versions, which had none. */
type EventIdParts = { chainId: number | undefined; id: string };

/** Splits an id into the chain and the id of a table. Returns undefined for any other text. */
export function splitEventId(text: string): EventIdParts | undefined {
  const [, chainId, id] = /^(?:([1-9]\d{0,8})-)?(\d{12}-\d{6})$/.exec(text) ?? [];
  return id === undefined ? undefined : { chainId: chainId === undefined ? undefined : Number(chainId), id };
}
