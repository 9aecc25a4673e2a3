import { LRUCache } from "lru-cache";
import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault, wrong } from "../endpoint/fault.ts";
import { type Header, headerByNumber, readHeader } from "../live/block.ts";
import type { Hex } from "../sources/log.ts";
import type { Pool } from "./pool.ts";

/** Milliseconds. An endpoint that may not be asked for longer than this is not waited for. */
const maxWaitMs = 500;

/** Endpoints have different final blocks at the same height: some are on another chain, or the chain has replaced the block. */
export class ChainConflict extends Error {
  override name = "ChainConflict";
}

/** Blocks behind the head at which Ponder takes a block for final: its own depth for chains that it doesn't know. */
export const finalityBlocks = 30;

/** A final block that identifies a chain. */
export type Anchor = { number: number; hash: Hex };

/**
 * Asks every endpoint for the anchor's block. Excludes those that have a different one, and readmits those that now have the
 * same. The status of an endpoint that does not answer, or does not have the block yet, stays as it is.
 *
 * @returns whether any endpoint is left that has the anchor or may have it
 */
export async function excludeOtherChains(endpoints: readonly Endpoint[], anchor: Anchor): Promise<boolean> {
  const hashes = await Promise.all(endpoints.map((endpoint) => readHash(endpoint, anchor.number)));
  for (const [index, endpoint] of endpoints.entries()) {
    const hash = hashes[index];
    if (hash === undefined) continue;
    endpoint.excluded =
      hash === anchor.hash
        ? undefined
        : `it is on another chain: its block ${anchor.number} is ${hash}, and ours ${anchor.hash}`;
  }
  return endpoints.some(({ excluded }) => excluded === undefined);
}

/**
 * Asks every endpoint for its block at a height. Returns the names of the endpoints that have one, by its hash.
 *
 * @param after an earlier block: who has another one in its place, or doesn't say, has no vote
 */
export async function readVotes(
  endpoints: readonly Endpoint[],
  number: number,
  after?: Anchor,
): Promise<Map<Hex, string[]>> {
  const hashes = await Promise.all(
    endpoints.map(async (endpoint) => {
      const hash = await readHash(endpoint, number);
      // The earlier one last: if the chain replaces both meanwhile, it shows.
      return hash === undefined || after === undefined || (await mayHave(endpoint, after)) ? hash : undefined;
    }),
  );
  const votes = new Map<Hex, string[]>();
  for (const [index, hash] of hashes.entries()) {
    if (hash !== undefined) votes.set(hash, [...(votes.get(hash) ?? []), endpoints[index]?.name ?? ""]);
  }
  return votes;
}

/**
 * Finds the block that most endpoints have at a height.
 *
 * @param after an earlier block that it has to follow
 * @returns undefined if none answers
 * @throws ChainConflict if there is a tie
 */
export async function findAnchor(
  endpoints: readonly Endpoint[],
  number: number,
  after?: Anchor,
): Promise<Anchor | undefined> {
  const votes = await readVotes(endpoints, number, after);
  const [first, second] = [...votes].sort(([, a], [, b]) => b.length - a.length);
  if (first === undefined) return undefined;
  if (second?.[1].length === first[1].length) {
    throw new ChainConflict(
      `the endpoints disagree: block ${number} is ${first[0]} at ${first[1].join(", ")}, and ${second[0]} at ${second[1].join(", ")}. Take out of PONDER_RPC_URL what is wrong, or add a third endpoint`,
    );
  }
  return { number, hash: first[0] };
}

/** Whether an endpoint has a block, or none at its height, like one that has dropped its old blocks. */
async function mayHave(endpoint: Endpoint, { number, hash }: Anchor): Promise<boolean> {
  const block = await readHeaderFrom(endpoint, headerByNumber(number), { number });
  return block === null || block?.hash === hash;
}

const readHash = async (endpoint: Endpoint, number: number): Promise<Hex | undefined> =>
  (await readHeaderFrom(endpoint, headerByNumber(number), { number }))?.hash;

/**
 * Reads a header from one particular endpoint. Null if it has no such block, undefined if it may not be asked soon or doesn't answer. One
 * that answers with something else is reported.
 */
export async function readHeaderFrom(
  endpoint: Endpoint,
  call: Call,
  wanted?: { number: number },
): Promise<Header | null | undefined> {
  if (endpoint.waitFor(1) > maxWaitMs) return undefined;
  endpoint.reserve(1);
  try {
    const [block] = await endpoint.send([call]);
    if (block instanceof EndpointFault) return undefined;
    return block === null ? null : readHeader(block, wanted);
  } catch (fault) {
    if (!(fault instanceof EndpointFault)) throw fault;
    if (fault.kind === "wrong") endpoint.reportInvalidAnswer(fault);
    return undefined;
  }
}

/** Reads a final block's header from an endpoint that has it. Waits for one. */
export async function readFinalHeader(pool: Pool, number: number, priority?: number): Promise<Header> {
  const { results } = await pool.send([headerByNumber(number)], {
    priority,
    block: number,
    check: ([block]) => void readHeader(block, { number }),
  });
  return readHeader(results[0]);
}

const maxRemembered = 1_000;

export type ChainAgreement = ReturnType<typeof createChainAgreement>;

/** Checks that all answers are from one chain, by the final blocks that come with them. */
export function createChainAgreement(pool: Pool) {
  const hashes = new LRUCache<number, Hex>({ max: maxRemembered });
  /** Unlike the others, it is never forgotten, and no answer replaces it. */
  let anchor: Anchor | undefined;

  const hashAt = (number: number) => (number === anchor?.number ? anchor.hash : hashes.get(number));

  return {
    /** Sets a block that most endpoints have. */
    setAnchor(block: Anchor): void {
      anchor = block;
    },

    /**
     * Compares a block of an answer with what others had there. If it differs, most endpoints decide.
     *
     * @throws EndpointFault of kind "wrong" if the endpoint has another block; ChainConflict if the others had
     */
    async check(block: { number: Hex; hash: Hex }, endpoint: Endpoint): Promise<void> {
      const [number, { hash }] = [Number(block.number), block];
      const knownHash = hashAt(number);
      if (knownHash !== undefined && knownHash !== hash) {
        const ours = pool.endpoints.filter(({ excluded }) => excluded === undefined);
        const chosen = await findAnchor(ours, number);
        if (chosen?.hash === hash) {
          hashes.set(number, hash);
          throw new ChainConflict(
            `block ${number} is ${hash}: what was read with block ${knownHash} is read again`,
          );
        }
        const fault = wrong(`another block ${number} than most endpoints`);
        pool.reportInvalidAnswer(endpoint, fault);
        throw fault;
      }
      hashes.set(number, hash);
    },
  };
}

/**
 * Creates a function that returns whether an endpoint's answer is doubted for the first time. An endpoint is only asked again
 * if no other answers differently, so an answer that it repeats has to be accepted.
 */
export function firstDoubt(): (endpoint: Endpoint) => boolean {
  const doubted = new Set<Endpoint>();
  return (endpoint) => {
    const isFirst = !doubted.has(endpoint);
    doubted.add(endpoint);
    return isFirst;
  };
}
