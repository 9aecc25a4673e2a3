import pg from "pg";
import { eventTopics } from "../../chain-access/sources/events.ts";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";

/** Of the tokens, those that have graduated, and those with a transfer in the last day. */
const [graduatedShare, activeShare] = [0.05, 0.02];

/**
 * Stores the creations of tokens that aren't on the chain, two days before everything else, as if they had been read. The indexer
 * asks for the events of these, too.
 */
export async function addTokens(
  databaseUrl: string,
  { tokenFactory, launchpad }: Pick<LaunchpadDeployment, "tokenFactory" | "launchpad">,
  count: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const graduated = Math.round(count * graduatedShare);
  const active = Math.round(count * activeShare);
  const { transfer, tokenCreated } = eventTopics;
  try {
    await client.query(
      `create temporary table made as
       select number, substr(encode(sha256(('token ' || number)::bytea), 'hex'), 1, 40) as token,
         substr(encode(sha256(('pair ' || number)::bytea), 'hex'), 1, 40) as pair
       from generate_series(1, ${count}) number`,
    );
    const { rows } = await client.query<{ number: string; hash: string }>(
      "select number, hash from ponder_sync.blocks where chain_id = 56 order by number desc limit 1",
    );
    const [last] = rows;
    if (last === undefined) throw new Error("the indexer has stored no block");
    // Block 0 has no events of its own.
    await client.query(
      `insert into ponder_sync.blocks select (jsonb_populate_record(block, jsonb_build_object(
         'number', 0, 'timestamp', timestamp - 2 * 86400, 'hash', '0x' || repeat('0', 64)))).*
       from ponder_sync.blocks block where number = $1 and chain_id = 56`,
      [last.number],
    );
    const insert = (
      block: string,
      hash: string,
      address: string,
      topics: [string, string, string],
      where: string,
    ) =>
      client.query(
        `insert into ponder_sync.logs (chain_id, block_number, log_index, transaction_index, block_hash, transaction_hash,
           address, topic0, topic1, topic2, data)
         select 56, ${block}, (select coalesce(max(log_index), 0) from ponder_sync.logs) + number, 0, '${hash}', '${hash}',
           ${address}, ${topics.join(", ")}, '0x' from made where ${where}`,
      );
    const word = (column: string) => `'0x' || repeat('0', 24) || ${column}`;
    const zero = `0x${"0".repeat(64)}`;
    await insert(
      "0",
      zero,
      `'${tokenFactory.toLowerCase()}'`,
      [`'${tokenCreated}'`, word("token"), "null"],
      "true",
    );
    await insert(
      "0",
      zero,
      `'${launchpad.toLowerCase()}'`,
      [`'${eventTopics.graduated}'`, word("token"), word("pair")],
      `number <= ${graduated}`,
    );
    await insert(
      last.number,
      last.hash,
      "'0x' || token",
      [`'${transfer}'`, "null", "null"],
      `number <= ${active}`,
    );
  } finally {
    await client.end();
  }
}
