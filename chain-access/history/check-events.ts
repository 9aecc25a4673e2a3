import { EndpointFault } from "../endpoint/fault.ts";
import { eventTopics } from "../sources/events.ts";
import type { Hex, Log } from "../sources/log.ts";
import { childFromLog, type Sources } from "../sources/sources.ts";

const { tokenCreated, curveOpened, trade, graduated, transfer, sync, swap, mint, burn } = eventTopics;

/**
 * Checks that events are complete, as far as they show it: some never come alone in a transaction. A curve trade or a creation
 * transfers the token; the launchpad transfers a token only when it opens its curve, trades or graduates it; a graduation gives
 * a pair its first liquidity; a swap, and adding or removing liquidity, change a pair's reserves. Logs with different hashes for
 * the same block come from different chains.
 *
 * @param logs all events of the launchpad, its tokens and pairs in some range of blocks
 * @throws EndpointFault of kind "wrong", naming the block
 */
export function checkEvents(sources: Sources, logs: readonly Log[]): void {
  const hashes = new Map<Hex, Hex>();
  const seen = new Set<string>();
  for (const { blockNumber, blockHash, transactionHash, address, topics } of logs) {
    const known = hashes.get(blockNumber);
    if (known !== undefined && known !== blockHash) throw wrong(blockNumber, "has two hashes");
    hashes.set(blockNumber, blockHash);
    seen.add(key(transactionHash, address, topics[0]));
  }
  for (const log of logs) {
    for (const [address, topics] of companionsOf(sources, log)) {
      if (topics.some((topic) => seen.has(key(log.transactionHash, address, topic)))) continue;
      throw wrong(log.blockNumber, `lacks what comes with log ${Number(log.logIndex)}`);
    }
  }
}

/** The events that must come with a log in the same transaction: for each contract, one of the listed topics. */
function companionsOf(sources: Sources, log: Log): [Hex, Hex[]][] {
  const { launchpad } = sources;
  const [topic] = log.topics;
  const child = childFromLog(sources, log);
  if (child !== undefined) {
    return topic === tokenCreated
      ? [
          [launchpad, [curveOpened]],
          [child.address, [transfer]],
        ]
      : [
          [child.address, [sync]],
          [child.address, [mint]],
        ];
  }
  if (topic === trade && log.address.toLowerCase() === launchpad) {
    return [[addressIn(log.topics[1]), [transfer]]];
  }
  if (topic === transfer && addressIn(log.topics[1]) === launchpad)
    return [[launchpad, [curveOpened, trade, graduated]]];
  if (topic === swap || topic === mint || topic === burn) return [[log.address, [sync]]];
  return [];
}

const key = (transaction: Hex, address: Hex, topic: Hex = "0x") =>
  `${transaction}${address.toLowerCase()}${topic}`;

const addressIn = (topic: Hex = "0x"): Hex => `0x${topic.slice(-40).toLowerCase()}`;

const wrong = (block: Hex, what: string) => new EndpointFault("wrong", `block ${Number(block)} ${what}`);
