import { eventTopics } from "../../chain-access/sources/events.ts";
import { query } from "../shared/database.ts";
import { contracts } from "../shared/market.ts";

/** Of the tokens, those that have graduated, and those with a transfer in the last day. */
const [graduatedShare, activeShare] = [0.05, 0.02];

const zeroHash = `0x${"0".repeat(64)}`;
const word = (column: string) => `'0x' || repeat('0', 24) || ${column}`;

/**
 * Stores the creations of tokens that aren't on the chain, two days before everything else, as if they had been read. The indexer
 * asks for the events of these, too.
 */
export async function addTokens(databaseUrl: string, count: number): Promise<void> {
  const { tokenFactory, launchpad } = contracts;
  const { transfer, tokenCreated, graduated } = eventTopics;
  // The new block 0 has no events of its own.
  await query(
    databaseUrl,
    `create temporary table made as
         select number, substr(encode(sha256(('token ' || number)::bytea), 'hex'), 1, 40) as token,
           substr(encode(sha256(('pair ' || number)::bytea), 'hex'), 1, 40) as pair
         from generate_series(1, ${count}) number;
       create temporary table last as
         select number, hash from ponder_sync.blocks where chain_id = 56 order by number desc limit 1;
       insert into ponder_sync.blocks
         select (jsonb_populate_record(block, jsonb_build_object(
           'number', 0, 'timestamp', timestamp - 2 * 86400, 'hash', '${zeroHash}'))).*
         from ponder_sync.blocks block join last using (number) where chain_id = 56;
       insert into ponder_sync.logs (chain_id, block_number, log_index, transaction_index, block_hash, transaction_hash,
           address, topic0, topic1, topic2, data)
         select 56, block, (select coalesce(max(log_index), 0) from ponder_sync.logs) + row_number() over (), 0, hash, hash,
           address, topic0, topic1, topic2, '0x'
         from (
           select 0 as block, '${zeroHash}' as hash, '${tokenFactory}' as address, '${tokenCreated}' as topic0,
             ${word("token")} as topic1, null as topic2 from made
           union all select 0, '${zeroHash}', '${launchpad}', '${graduated}', ${word("token")}, ${word("pair")}
             from made where number <= ${Math.round(count * graduatedShare)}
           union all select last.number, last.hash, '0x' || token, '${transfer}', null, null
             from made, last where made.number <= ${Math.round(count * activeShare)}
         ) event`,
  );
}
