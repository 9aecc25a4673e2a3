import { wrong } from "../endpoint/fault.ts";
import { eventTopics } from "../sources/events.ts";
import { checkLogs, type Hex, type Log, type LogFilter } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { type Header, numberOf } from "./block.ts";
import { computeBloom, isInBloom, readBloom } from "./bloom.ts";

/**
 * Checks that an answer only has logs of this block.
 *
 * @throws EndpointFault of kind "wrong"
 */
export function checkBlockLogs(answer: unknown, header: Header, filter: Partial<LogFilter>): Log[] {
  const number = numberOf(header);
  const logs = checkLogs(answer, filter, { from: number, to: number });
  const bloom = readBloom(header.logsBloom);
  if (logs.some(({ blockHash }) => blockHash !== header.hash)) throw wrong(`logs of another block ${number}`);
  const values = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]));
  for (const value of values) {
    if (!isInBloom(bloom, value)) throw wrong(`a log that is not in the bloom of block ${number}`);
  }
  return logs;
}

/**
 * Whether these can be all logs of the block: none is missing in between, and together they produce its bloom. Only logs at the
 * end, with addresses and topics that other logs have too, could be missing unnoticed.
 */
export const areAllLogs = (logs: readonly Log[], header: Header): boolean =>
  logs.every(({ logIndex }) => Number(logIndex) < logs.length) &&
  Buffer.compare(computeBloom(logs), readBloom(header.logsBloom)) === 0;

/** @throws EndpointFault of kind "wrong" unless {@link areAllLogs} */
export function checkAllLogs(logs: readonly Log[], header: Header): void {
  if (!areAllLogs(logs, header)) throw wrong(`not all logs of block ${numberOf(header)}`);
}

/**
 * Whether a curve trade lacks the token transfer that comes with it. With the launchpad's own contracts it never does, so the
 * answer is doubtful; with other contracts it may.
 *
 * @param wasAsked whether a token's transfers were requested
 */
export function lacksTransfer(
  logs: readonly Log[],
  { launchpad }: Sources,
  wasAsked: (token: Hex) => boolean,
): boolean {
  const transfers = new Set(
    logs
      .filter(({ topics }) => topics[0] === eventTopics.transfer)
      .map(({ transactionHash, address }) => `${transactionHash} ${address.toLowerCase()}`),
  );
  return curveTrades(logs, launchpad).some(
    ({ transactionHash, token }) => wasAsked(token) && !transfers.has(`${transactionHash} ${token}`),
  );
}

/** Returns the curve trades among these logs, each with its token. */
const curveTrades = (logs: readonly Log[], launchpad: Hex): (Log & { token: Hex })[] =>
  logs
    .filter(({ address, topics }) => topics[0] === eventTopics.trade && address.toLowerCase() === launchpad)
    .map((log) => ({ ...log, token: `0x${(log.topics[1] ?? "").slice(-40).toLowerCase()}` }));

/** Whether an answer may have been truncated: nodes that do so mostly stop at a round number. */
export const looksCut = (count: number): boolean => count > 0 && count % 100 === 0;
