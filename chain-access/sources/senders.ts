import { eventTopics } from "./events.ts";
import type { Hex, Log } from "./log.ts";
import { childFromLog, type Sources } from "./sources.ts";

/** The events whose transaction sender matters: on a DEX pair, no log names the account that acts. */
export const senderTopics: readonly Hex[] = [eventTopics.swap, eventTopics.mint, eventTopics.burn];

/**
 * Returns the logs whose transaction senders matter. A pair's events before the graduation in the same transaction don't count:
 * there the launchpad itself acts.
 */
export function logsNeedingSenders(sources: Sources, logs: readonly Log[]): Log[] {
  const opened = new Map<string, number>();
  for (const log of logs) {
    const child = childFromLog(sources, log);
    if (child?.type === "pair") opened.set(keyOf(log, child.address), Number(log.logIndex));
  }
  return logs.filter(
    (log) =>
      senderTopics.includes(log.topics[0] ?? "0x") &&
      Number(log.logIndex) > (opened.get(keyOf(log, log.address)) ?? -1),
  );
}

const keyOf = ({ transactionHash }: Log, pair: Hex): string => `${transactionHash} ${pair.toLowerCase()}`;
