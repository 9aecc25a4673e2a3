import { LRUCache } from "lru-cache";
import { ignore } from "../../config/async.ts";
import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault, wrong } from "../endpoint/fault.ts";
import { headerByNumber, readHeader } from "../live/block.ts";
import { isWitnessed, witness } from "../live/block-logs.ts";
import { readBloom } from "../live/bloom.ts";
import type { Pool } from "../pool/pool.ts";
import { getLogs, type Log, type Range } from "../sources/log.ts";

/** Milliseconds for which an endpoint that has shown logs of a block is trusted to have them. */
const trustMs = 60_000;
const maxRemembered = 1_000;
/** How many more blocks are searched for one with logs. Nearly every block of a busy chain has some. */
const maxSearchedBlocks = 9;

/** The lowest or highest block that an endpoint has shown logs of, and when, from `performance.now()`. */
type Shown = { block: number; at: number };
type End = "from" | "to";

/**
 * Finds out of which blocks an endpoint has logs. Nodes that have pruned old logs, are still indexing them, or lag behind the head
 * answer with the logs that they have, or with none. An endpoint is taken to have the logs of all blocks between two of which it
 * has shown logs. Where it has not, it is asked for those of a block whose bloom filter says that there are some.
 */
export function createLogAvailability(pool: Pool) {
  const shown = new WeakMap<Endpoint, Partial<Record<End, Shown>>>();
  /** When a search for a block with logs found none: there is nothing to go by. */
  const unprovable = new LRUCache<string, number>({ max: maxRemembered });
  const verifying = new WeakMap<Endpoint, Promise<void>>();

  const isFresh = (at: number, askedAt: number) => Math.abs(askedAt - at) < trustMs;

  function note(endpoint: Endpoint, end: End, block: number, at: number): void {
    const ends = shown.get(endpoint) ?? {};
    const shownBlock = ends[end];
    const isFurther =
      shownBlock === undefined || (end === "from" ? block <= shownBlock.block : block >= shownBlock.block);
    if (isFurther || !isFresh(shownBlock.at, at)) ends[end] = { block, at };
    shown.set(endpoint, ends);
  }

  /** Whether an endpoint has shown that it has the logs around one end of a range. */
  function hasShownEnd(
    endpoint: Endpoint,
    end: End,
    block: number,
    { askedAt, isEarlier }: { askedAt: number; isEarlier: boolean },
  ): boolean {
    const isValid = (at: number | undefined) =>
      at !== undefined && isFresh(at, askedAt) && (!isEarlier || at <= askedAt);
    const shownBlock = shown.get(endpoint)?.[end];
    const isWithin =
      shownBlock !== undefined && (end === "from" ? shownBlock.block <= block : shownBlock.block >= block);
    return (isWithin && isValid(shownBlock.at)) || isValid(unprovable.get(keyOf(endpoint, end, block)));
  }

  async function ask(
    endpoint: Endpoint,
    block: number,
    calls: readonly Call[],
    check: (results: unknown[]) => void,
  ): Promise<unknown[]> {
    // Without a priority, before all history: what was read waits for it, and what is queued for minutes would be late.
    const { results } = await pool.sendTo(endpoint, calls, {
      block,
      check,
      maxInvalidAnswers: 1,
      isTogether: true,
      onFault: (fault) => endpoint.limits.learn(fault, {}),
    });
    return results;
  }

  /** Asks for a block's logs, or for the witness's. Returns false if its bloom filter says that it has none. */
  async function showsLogs(endpoint: Endpoint, number: number): Promise<boolean> {
    const { takesAnyAddress } = endpoint.limits;
    const mayHave = takesAnyAddress ? mayHaveLogs : mayHaveWitness;
    const addresses = takesAnyAddress ? undefined : [witness.address];
    const calls = [headerByNumber(number), getLogs({ addresses }, { from: number, to: number })];
    try {
      const [header] = await ask(endpoint, number, calls, ([header, logs]) => {
        if (header === null) throw wrong(`no block ${number}`);
        const isEmpty = !Array.isArray(logs) || logs.length === 0;
        if (mayHave(header) && isEmpty) throw wrong(`no logs of block ${number}, which has some`);
      });
      return mayHave(header);
    } catch (error) {
      if (error instanceof EndpointFault && error.kind === "unfiltered" && takesAnyAddress)
        return await showsLogs(endpoint, number);
      throw error;
    }
  }

  /** Makes an endpoint show that it has the logs around one end of a range, or notes that nothing can show it. */
  async function probe(endpoint: Endpoint, end: End, range: Range): Promise<void> {
    const at = performance.now();
    const block = range[end];
    if (await showsLogs(endpoint, block)) return note(endpoint, end, block, at);
    // One by one: all at once are more than slow endpoints accept in a second, and the first is mostly enough.
    for (const other of blocksNear(range, end)) {
      const [header] = await ask(
        endpoint,
        other,
        [headerByNumber(other)],
        ([header]) => void mayHaveLogs(header),
      );
      if (!mayHaveLogs(header)) continue;
      if (await showsLogs(endpoint, other)) note(endpoint, end, block, at);
      return;
    }
    unprovable.set(keyOf(endpoint, end, block), at);
  }

  return {
    record(endpoint: Endpoint, logs: readonly Log[], askedAt: number): void {
      if (logs.length === 0) return;
      const [lowest, highest] = logs.reduce(
        ([low, high], { blockNumber }) => [
          Math.min(low, Number(blockNumber)),
          Math.max(high, Number(blockNumber)),
        ],
        [Number.POSITIVE_INFINITY, 0],
      );
      note(endpoint, "from", lowest as number, askedAt);
      note(endpoint, "to", highest as number, askedAt);
    },

    /**
     * Whether an endpoint has shown that it has the logs of a range.
     *
     * @param isEarlier whether it must have done so before it was asked for them
     */
    hasShown: (
      endpoint: Endpoint,
      { from, to }: Range,
      asked: { askedAt: number; isEarlier: boolean },
    ): boolean => hasShownEnd(endpoint, "from", from, asked) && hasShownEnd(endpoint, "to", to, asked),

    /**
     * Makes an endpoint show that it has the logs of a range.
     *
     * @throws EndpointFault of kind "wrong" if it has none where there are some
     */
    async verify(endpoint: Endpoint, range: Range): Promise<void> {
      // In turn, because the first mostly shows what the next ones need.
      // The next caller proceeds whether or not the previous one failed.
      const earlier = verifying.get(endpoint)?.catch(ignore);
      const work = (async () => {
        await earlier;
        const asked = { askedAt: performance.now(), isEarlier: true };
        for (const end of ["from", "to"] as const) {
          if (!hasShownEnd(endpoint, end, range[end], asked)) await probe(endpoint, end, range);
        }
      })();
      verifying.set(endpoint, work);
      await work;
    },
  };
}

const keyOf = ({ name }: Endpoint, end: End, block: number) => `${name} ${end} ${block}`;

/** Blocks of a range near one of its ends, nearest first: further and further away. */
function blocksNear({ from, to }: Range, end: End): number[] {
  const distances = Array.from({ length: maxSearchedBlocks }, (_, index) => 2 ** index);
  return distances
    .map((distance) => (end === "from" ? from + distance : to - distance))
    .filter((block) => block >= from && block <= to);
}

/** Whether a block has logs according to its bloom filter. Throws an EndpointFault if this is no header. */
const mayHaveLogs = (header: unknown): boolean =>
  header !== null && BigInt(readHeader(header).logsBloom) !== 0n;

const mayHaveWitness = (header: unknown): boolean =>
  header !== null && isWitnessed(readBloom(readHeader(header).logsBloom));
