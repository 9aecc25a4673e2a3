import { wrong } from "../endpoint/fault.ts";
import { eventTopics, transfersIn } from "../sources/events.ts";
import { checkLogs, getLogs, type Hex, type Log, type LogFilter } from "../sources/log.ts";
import { addressIn, type Sources } from "../sources/sources.ts";
import { LacksBlock } from "./ask.ts";
import { type Header, numberOf } from "./block.ts";
import { type Bloom, computeBloom, isInBloom, readBloom } from "./bloom.ts";

/**
 * A contract whose log shows that an endpoint has a block's logs. BNB Smart Chain itself calls the validators' contract in the last
 * transaction of each block with fees, and it emits `validatorDeposit(address,uint256)`. Asked for together with ours, it costs
 * one log; asking for all logs of a block instead costs hundreds.
 */
export const witness = {
  address: "0x0000000000000000000000000000000000001000",
  topic: "0x93a090ecc682c002995fad3c85b30c5651d7fd29b0be5da9d784a3302aedc055",
} as const satisfies { address: Hex; topic: Hex };

/** Whether a block has the witness's log, unless its bloom matches by chance. Other chains have no such contract. */
export const isWitnessed = (bloom: Bloom): boolean =>
  isInBloom(bloom, witness.address) && isInBloom(bloom, witness.topic);

export const isOfWitness = ({ address }: Log): boolean => address.toLowerCase() === witness.address;

/** Asks for the witness's log of a block by number: it shows that an endpoint has the block and its logs, and on which branch. */
export const witnessCall = (number: number) =>
  getLogs({ addresses: [witness.address], topics: [witness.topic] }, { from: number, to: number });

/** @throws LacksBlock unless the answer is of the block with this hash */
export function checkWitness(answer: unknown, hash: Hex): void {
  const logs = Array.isArray(answer) ? (answer as Log[]) : [];
  if (!logs.some((log) => isOfWitness(log) && log.blockHash === hash)) throw new LacksBlock();
}

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
  const isTransferred = transfersIn(logs);
  return logs.some((log) => {
    const { address, topics } = log;
    if (topics[0] !== eventTopics.trade || address.toLowerCase() !== launchpad) return false;
    const token = addressIn(topics[1]);
    return wasAsked(token) && !isTransferred(log, token);
  });
}

/** Whether an answer may have been truncated: nodes that do so mostly stop at a round number. */
export const looksCut = (count: number): boolean => count > 0 && count % 100 === 0;
