import { LRUCache } from "lru-cache";
import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { isHex } from "../hex.ts";
import { headerByNumber } from "../live/block.ts";
import type { Pool } from "../pool/pool.ts";
import { type Hex, type Range, rangeSize } from "../sources/log.ts";

/** Milliseconds, and blocks in the vicinity, for which an endpoint that has logs is trusted when it finds none. */
const trustMs = 60_000;
const trustBlocks = 500_000;
const maxRemembered = 1_000;
/** Milliseconds that the checked endpoint has to answer. */
const timeoutMs = 15_000;
/** How many blocks of a range are searched for one with logs: two at first, since nearly every block of a busy chain has some. */
const maxSampledBlocks = 10;
const firstSampleSize = 2;

type Header = { hash?: Hex; logsBloom?: string } | null;

/**
 * Some nodes find no logs where there are some: while they build an index, or because they have pruned them. This checks an
 * endpoint that found none by asking it for the logs of a block whose bloom filter says that there are some.
 */
export function createEmptyAnswerCheck(pool: Pool) {
  const trustedAt = new LRUCache<string, number>({ max: maxRemembered });

  async function ask(endpoint: Endpoint, block: number, calls: Call[]): Promise<unknown[]> {
    const canAsk = (other: Endpoint) => other === endpoint;
    const signal = AbortSignal.timeout(timeoutMs);
    const { results } = await pool
      .send(calls, { priority: block, block, canAsk, signal })
      .catch((error: unknown) => {
        throw signal.aborted ? new EndpointFault("timeout", "no answer in time") : error;
      });
    return results;
  }

  /** Finds a block of the range that has logs according to its bloom filter. */
  async function findBlock(
    endpoint: Endpoint,
    range: Range,
  ): Promise<{ number: number; hash?: Hex } | undefined> {
    const blocks = sampleBlocks(range);
    for (const part of [blocks.slice(0, firstSampleSize), blocks.slice(firstSampleSize)]) {
      if (part.length === 0) break;
      const headers = (await ask(endpoint, range.to, part.map(headerByNumber))) as Header[];
      const index = headers.findIndex((header) => hasLogs(header));
      if (index !== -1) return { number: part[index] as number, hash: headers[index]?.hash };
    }
    return undefined;
  }

  const keysOf = (endpoint: Endpoint, { from, to }: Range) => ({
    near: `${endpoint.name} ${Math.floor(to / trustBlocks)}`,
    same: `${endpoint.name} ${from}-${to}`,
  });

  return {
    /** Records that an endpoint found logs in a range. `askedAt` is from `performance.now()`. */
    recordLogs(endpoint: Endpoint, range: Range, askedAt: number): void {
      trustedAt.set(keysOf(endpoint, range).near, askedAt);
    },

    /** Whether the endpoint was known to have logs around these blocks when it was asked. `askedAt` is from `performance.now()`. */
    isTrusted(endpoint: Endpoint, range: Range, askedAt: number): boolean {
      const { near, same } = keysOf(endpoint, range);
      return [near, same].some((key) => {
        const at = trustedAt.get(key);
        return at !== undefined && at <= askedAt && askedAt - at < trustMs;
      });
    },

    /**
     * Verifies that an endpoint that found no logs in a range has logs at all. Its answer has to be requested again afterwards: it
     * may have recovered in between. If no sampled block has logs, there is nothing to go by, and it is trusted for this range.
     *
     * @throws EndpointFault of kind "wrong" if it finds no logs where there are some
     */
    async verify(endpoint: Endpoint, range: Range): Promise<void> {
      const { near, same } = keysOf(endpoint, range);
      const block = await findBlock(endpoint, range);
      if (block !== undefined) {
        const call = { method: "eth_getLogs", params: [{ blockHash: block.hash }] };
        const [logs] = await ask(endpoint, block.number, [call]);
        if (!Array.isArray(logs) || logs.length === 0) {
          const lie = new EndpointFault("wrong", `no logs of block ${block.number}, which has some`);
          pool.reportLie(endpoint, lie);
          throw lie;
        }
      }
      trustedAt.set(block === undefined ? same : near, performance.now());
    },
  };
}

/** The last block of a range, its middle one, and others spread over it; all of its blocks if they are few. */
function sampleBlocks({ from, to }: Range): number[] {
  const size = rangeSize({ from, to });
  const middle = Math.floor((from + to) / 2);
  const count = Math.min(size, maxSampledBlocks - 2);
  const others = Array.from({ length: count }, (_, index) => from + Math.floor((index * size) / count));
  return [...new Set([to, middle, ...others])];
}

function hasLogs(header: Header): boolean {
  return isHex(header?.logsBloom) && BigInt(header.logsBloom) !== 0n;
}
