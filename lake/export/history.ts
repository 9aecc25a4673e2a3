import { literal, statement } from "../../offchain/connection.ts";
import { type Anchors, otherIndexError, type Source } from "../manifest.ts";
import { type FinalSnapshot, NotReadyError } from "./final-snapshot.ts";

/*
 * Rows that were exported are never read again. So a later run has to notice if the index has another history by then: a chain may have
 * replaced final blocks, and a database may have been restored from a backup, or made again. No table that the analysts' role reads has
 * hashes of blocks. The last events show the same: each has its block, log index, time and transaction.
 */

/** The events of each kind that an anchor covers: an index finds so few at once, and no reorg leaves so many in their places. */
const eventsPerAnchor = 100;

/** Reads what identifies this index. */
export async function readSource({ client, state }: FinalSnapshot, schema: string): Promise<Source> {
  const firstTokens: Source["firstTokens"] = {};
  for (const { chainId, block } of state.chains) {
    const first = statement`select address || ' ' || created_tx as first from ${schema}.token
      where chain_id = ${literal(String(chainId))} and created_block <= ${literal(String(block))}
      order by created_block, created_log_index limit 1`;
    const { rows } = await client.query<{ first: string }>(first);
    firstTokens[chainId] = rows[0]?.first ?? null;
  }
  return { schema, build: state.build, firstTokens };
}

/** Reads the anchor of each chain at its final block. */
export async function readAnchors(snapshot: FinalSnapshot, schema: string): Promise<Anchors> {
  const anchors: Anchors = {};
  for (const { chainId, block } of snapshot.state.chains)
    anchors[chainId] = { block, digest: await readDigest(snapshot, schema, { chainId, block }) };
  return anchors;
}

/**
 * Checks that an index has the history in which rows were written to a folder or a database `name`. Throws a StartError if it has another
 * one, and a NotReadyError if it ends before those rows do.
 */
export async function assertSameHistory(
  snapshot: FinalSnapshot,
  schema: string,
  { name, anchors = {} }: { name: string; anchors?: Anchors },
): Promise<void> {
  for (const { chainId, block } of snapshot.state.chains) {
    const anchor = anchors[chainId];
    if (anchor === undefined) continue;
    if (block < anchor.block) {
      throw new NotReadyError(
        `the index of chain ${chainId} is not final up to block ${anchor.block}, up to which ${name} has rows: it lags, or was restored from a backup. Nothing is written until it is`,
      );
    }
    if ((await readDigest(snapshot, schema, { chainId, block: anchor.block })) !== anchor.digest)
      throw otherIndexError(
        name,
        `chain ${chainId} has other events up to block ${anchor.block}, as after a reorg of final blocks`,
      );
  }
}

/** Reads a digest of the last events up to a block. */
async function readDigest(
  { client }: FinalSnapshot,
  schema: string,
  { chainId, block }: { chainId: number; block: number },
): Promise<string> {
  const [chain, last] = [literal(String(chainId)), literal(String(block))];
  // Ids are in the order of the chain, and begin with the block.
  const end = literal(String(block + 1).padStart(12, "0"));
  const limit = `limit ${eventsPerAnchor}`;
  const events = ["trade", "liquidity_change", "transfer"].map((table) => {
    const rows = statement`select concat_ws(' ', id, timestamp, tx) as event from ${schema}.${table}
      where chain_id = ${chain} and id < ${end} order by id desc`;
    return `(select string_agg(event, ',') from (${rows} ${limit}) last)`;
  });
  const created = statement`select concat_ws(' ', created_block, created_log_index, created_at, created_tx) as event
    from ${schema}.token where chain_id = ${chain} and created_block <= ${last}
    order by created_block desc, created_log_index desc`;
  const tokens = `(select string_agg(event, ',') from (${created} ${limit}) last)`;
  const digest = `select md5(concat_ws(';', ${[...events, tokens].join(", ")})) as digest`;
  const { rows } = await client.query<{ digest: string }>(digest);
  return rows[0]?.digest ?? "";
}
