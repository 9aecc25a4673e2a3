import { eventTopics } from "./events.ts";
import type { Hex, Log } from "./log.ts";
import { childOf, type Sources } from "./sources.ts";

/** The events of which the transaction's sender matters: on a DEX pair, no log tells who acts. */
export const senderTopics: readonly Hex[] = [eventTopics.swap, eventTopics.mint, eventTopics.burn];

/**
 * The logs of transactions whose senders matter. What the launchpad does to a pair just before it announces the graduation is
 * its own doing.
 */
export function needingSenders(sources: Sources, logs: readonly Log[]): Log[] {
  const opened = new Map<string, number>();
  for (const log of logs) {
    const child = childOf(sources, log);
    if (child?.type === "pair") opened.set(keyOf(log, child.address), Number(log.logIndex));
  }
  return logs.filter(
    (log) =>
      senderTopics.includes(log.topics[0] ?? "0x") &&
      Number(log.logIndex) > (opened.get(keyOf(log, log.address)) ?? -1),
  );
}

const keyOf = ({ transactionHash }: Log, pair: Hex): string => `${transactionHash} ${pair.toLowerCase()}`;
