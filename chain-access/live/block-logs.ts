import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault, wrong } from "../endpoint/fault.ts";
import { chunk } from "../endpoint/limits.ts";
import { firstDoubt } from "../pool/anchor.ts";
import { eventTopics, transfersIn } from "../sources/events.ts";
import { checkLogs, getLogs, type Hex, type Log, type LogFilter } from "../sources/log.ts";
import { addressIn, type Sources } from "../sources/sources.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import { type Header, numberOf } from "./block.ts";
import { type Bloom, computeBloom, fullnessOf, isInBloom, readBloom } from "./bloom.ts";
import type { Heads } from "./heads.ts";

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

type SomeLogs = Partial<LogFilter> & {
  /** Must throw an EndpointFault of kind "wrong" for logs that can't be complete. */
  check?: (logs: readonly Log[], endpoint: Endpoint) => void;
  signal?: AbortSignal;
};

type AllLogs = Omit<SomeLogs, "check"> & { isDoubtful: (logs: readonly Log[]) => boolean };

type ReadBlockLogsOptions = { ask: Ask; heads: Heads };

/** Reads logs of one block by its hash. Resolves to null if no endpoint has the block any more. */
export function createReadBlockLogs({ ask, heads }: ReadBlockLogsOptions) {
  const takesAnyAddress = (header: Header) =>
    heads.forLogs(numberOf(header)).some(({ limits }) => limits.takesAnyAddress);
  const roomForLogs = (header: Header) => roomFor(heads.forLogs(numberOf(header)));

  /** Asks for the logs of all contracts in place of more addresses than a request takes, unless there are too many. */
  async function some(header: Header, options: SomeLogs = {}): Promise<Log[] | null> {
    const { addresses } = options;
    const room = roomForLogs(header);
    if (addresses === undefined || addresses.length <= room) return await one(header, options);
    if (!isDense(header) && takesAnyAddress(header))
      return await one(header, { ...options, addresses: undefined });
    const parts = chunk(addresses, room).map((part) => one(header, { ...options, addresses: part }));
    const logsOfParts = await Promise.all(parts);
    return logsOfParts.every((logs) => logs !== null) ? logsOfParts.flat() : null;
  }

  /** One request. */
  async function one(header: Header, options: SomeLogs): Promise<Log[] | null> {
    const { addresses, topics, check, signal } = options;
    const number = numberOf(header);
    const count = addresses?.length ?? 0;
    try {
      const sent = await ask([getLogs({ addresses, topics }, { blockHash: header.hash })], {
        number,
        signal,
        canAsk: ({ limits }) =>
          addresses === undefined ? limits.takesAnyAddress : limits.addresses >= count,
        onFault: (fault, { limits }) => limits.learn(fault, { addresses: count }),
        check: ([answer], endpoint) => {
          if (answer === null) throw new LacksBlock();
          const logs = checkBlockLogs(answer, header, { addresses, topics });
          // Some nodes answer [] for a block that they don't know.
          if (logs.length === 0 && !heads.has(endpoint, number)) throw new LacksBlock({ isCertain: false });
          check?.(logs, endpoint);
        },
      });
      if (sent === null) return null;
      return sent.results[0] as Log[];
    } catch (error) {
      const isTooMuch =
        error instanceof EndpointFault && (error.kind === "addresses" || error.kind === "unfit");
      // Whoever took so many addresses has refused them.
      if (isTooMuch && count > roomForLogs(header)) return await some(header, options);
      throw error;
    }
  }

  /**
   * Reads all logs of the block, checked against its bloom; or, if no endpoint returns those, asks again for these addresses.
   *
   * @param isDoubtful whether to accept logs only if no endpoint has others
   */
  async function all(header: Header, options: AllLogs): Promise<Log[] | null> {
    const { isDoubtful, ...filter } = options;
    const isFirstDoubt = firstDoubt();
    const doubt = (endpoint: Endpoint) => {
      if (isFirstDoubt(endpoint)) throw wrong(`incomplete logs of block ${numberOf(header)}`);
    };
    try {
      return await one(header, {
        signal: filter.signal,
        check: (logs, endpoint) => {
          // An endpoint may have the header before the logs.
          if (logs.length === 0) throw new LacksBlock();
          checkAllLogs(logs, header);
          if (isDoubtful(logs)) doubt(endpoint);
        },
      });
    } catch (error) {
      const isRefused =
        error instanceof EndpointFault && (error.kind === "unfiltered" || error.kind === "unfit");
      if (!isRefused) throw error;
      if (error.kind === "unfiltered" && takesAnyAddress(header)) return await all(header, options);
      const lacksWitness = (logs: readonly Log[]) =>
        filter.addresses?.includes(witness.address) === true && !logs.some(isOfWitness);
      return await some(header, {
        ...filter,
        check: (logs, endpoint) => {
          if (isDoubtful(logs) || lacksWitness(logs)) doubt(endpoint);
        },
      });
    }
  }

  return { some, all };
}

/** Addresses per request. */
const maxAddresses = 1_000;

/** The most addresses that an endpoint takes. */
export const roomFor = (endpoints: readonly Endpoint[]): number =>
  Math.min(maxAddresses, Math.max(1, ...endpoints.map(({ limits }) => limits.addresses)));

/** A fuller bloom than this is of a block with so many logs that reading all of them costs more than several requests. */
const denseFullness = 0.25;

const isDense = ({ logsBloom }: Header) => fullnessOf(readBloom(logsBloom)) > denseFullness;
