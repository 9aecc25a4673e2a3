import type pg from "pg";
import { pause } from "../../config/async.ts";
import { literal, statement } from "../../offchain/connection.ts";
import { type FinalChain, readChangedKeys, readHead } from "../../runtime/ponder/final-rows.ts";
import { inFinalSnapshot, NotReadyError } from "../export/final-snapshot.ts";
import { followedTables, type SnapshotTable } from "../tables/tables.ts";
import type { Sink } from "./write.ts";

/*
 * Which rows have changed since the last snapshot. Ponder keeps the former versions of the rows that blocks after the final one have
 * changed. A sink reads their keys with each pass, before these blocks are final, and remembers them until they are in a snapshot. So
 * nobody else has to write an index of when each row changed.
 */

/** Keys of rows by the folder of their table, each by its text. */
type Keys = ReadonlyMap<string, ReadonlyMap<string, string[]>>;

/** What has changed on a chain. */
export type Followed = {
  /** After this block. */
  since: number;
  /** Up to this block. */
  head: number;
  /** Changes where some of it may be missing. */
  course: string;
  keys: Keys;
};

/** Reads what blocks after the final one have changed. */
async function readFollowed(client: pg.ClientBase, { schema }: Sink, chain: FinalChain): Promise<Followed> {
  const { block: head, course } = await readHead(client, schema, chain.chainId);
  const keys = new Map<string, ReadonlyMap<string, string[]>>();
  for (const { table, folder, key } of followedTables) {
    const rows = await readChangedKeys<Record<string, string>>(client, { schema, table, key, chain });
    const values = rows.map((row) => keyColumns(key).map((column) => row[column] ?? ""));
    keys.set(folder, new Map(values.map((value) => [value.join(" "), value])));
  }
  return { since: chain.block, head, course, keys };
}

/**
 * Reads the keys of the rows that have changed since a snapshot, and remembers them. They are undefined if a block has become final
 * that no earlier call has seen. `now` is what blocks after the final one have changed: all that a snapshot of this block leaves.
 */
export async function followChanges(
  client: pg.ClientBase,
  sink: Sink,
  { chain, snapshotBlock }: { chain: FinalChain; snapshotBlock: number },
): Promise<{ keys: Keys | undefined; now: Followed }> {
  const now = await readFollowed(client, sink, chain);
  const before = sink.followed.get(chain.chainId);
  const isContinued = before !== undefined && chain.block <= before.head && before.course === now.course;
  const followed = isContinued ? { ...now, since: before.since, keys: merge(before.keys, now.keys) } : now;
  sink.followed.set(chain.chainId, followed);
  return { keys: followed.since <= snapshotBlock ? followed.keys : undefined, now };
}

/**
 * Follows the changes of all chains while a copy is written, which may take longer than blocks need to become final. So what the next
 * copy has to write is what has changed since this one began, however long it took.
 *
 * @param meanwhile runs again and again too. The looks don't wait for it, since it may take as long
 */
export async function whileFollowing<Result>(
  sink: Sink,
  copy: () => Promise<Result>,
  meanwhile: () => Promise<unknown>,
): Promise<Result> {
  const copied = new AbortController();
  const repeat = async (work: () => Promise<unknown>) => {
    for (;;) {
      await pause(sink.followMs, copied.signal);
      if (copied.signal.aborted) return;
      await work();
    }
  };
  const look = () =>
    inFinalSnapshot(sink.pool, sink.schema, async ({ client, state }) => {
      for (const chain of state.chains) await followChanges(client, sink, { chain, snapshotBlock: 0 });
    });
  // A copy is complete even if following failed, as after a restart of the indexer: the next one then looks at the times of all rows.
  const [result, ...others] = await Promise.allSettled([
    copy().finally(() => copied.abort()),
    repeat(look),
    repeat(meanwhile),
  ]);
  if (result.status === "rejected") throw result.reason;
  for (const other of others)
    if (other.status === "rejected" && !(other.reason instanceof NotReadyError)) throw other.reason;
  return result.value;
}

const merge = (left: Keys, right: Keys): Keys =>
  new Map([...right].map(([folder, keys]) => [folder, new Map([...(left.get(folder) ?? []), ...keys])]));

/** Apart from the chain, a key has only texts. */
const keyColumns = (key: string[]) => key.filter((column) => column !== "chain_id");

/** Returns SQL for whether a row `r` of a chain has one of the keys. */
export function hasKey({ folder, key }: SnapshotTable, keys: Keys): string {
  const columns = keyColumns(key);
  const values = [...(keys.get(folder)?.values() ?? [])];
  if (columns.length === 0) return values.length > 0 ? "true" : "false";
  const lists = columns.map((_, place) => {
    const list = values.map((value) => statement`${literal(value[place] ?? "")}`);
    return `array[${list.join(", ")}]::text[]`;
  });
  const names = columns.map((column) => statement`r.${column}`).join(", ");
  return `(${names}) in (select * from unnest(${lists.join(", ")}))`;
}
