import { LRUCache } from "lru-cache";
import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { isHex } from "../hex.ts";
import { headerByNumber } from "../live/block.ts";
import type { Pool } from "../pool/pool.ts";
import { type Hex, type Range, sizeOf } from "../sources/log.ts";

/** For so long, and so many blocks around, an endpoint that has logs is believed when it finds none. */
const believedMs = 60_000;
const believedBlocks = 500_000;
const mostRemembered = 1_000;
/** Milliseconds for an answer of this one endpoint. */
const patienceMs = 15_000;
/** Blocks of a range that are looked at for one with logs: two at first, since nearly every block of a busy chain has some. */
const mostBlocks = 10;
const first = 2;

type Header = { hash?: Hex; logsBloom?: string } | null;

/**
 * Some nodes find no logs where there are some: while they build an index, or where they have deleted them. Makes a check of an
 * endpoint that found none: that it has logs of a block whose bloom filter says that there are some.
 */
export function createVouch(pool: Pool) {
  const vouchedAt = new LRUCache<string, number>({ max: mostRemembered });

  async function ask(endpoint: Endpoint, block: number, calls: Call[]): Promise<unknown[]> {
    const canAsk = (other: Endpoint) => other === endpoint;
    const signal = AbortSignal.timeout(patienceMs);
    const { results } = await pool
      .send(calls, { priority: block, block, canAsk, signal })
      .catch((error: unknown) => {
        throw signal.aborted ? new EndpointFault("timeout", "no answer in time") : error;
      });
    return results;
  }

  /** A block of the range that has logs by its bloom filter. */
  async function findBlock(
    endpoint: Endpoint,
    range: Range,
  ): Promise<{ number: number; hash?: Hex } | undefined> {
    const blocks = spread(range);
    for (const part of [blocks.slice(0, first), blocks.slice(first)]) {
      if (part.length === 0) break;
      const headers = (await ask(endpoint, range.to, part.map(headerByNumber))) as Header[];
      const index = headers.findIndex((header) => hasLogs(header));
      if (index !== -1) return { number: part[index] as number, hash: headers[index]?.hash };
    }
    return undefined;
  }

  const keysOf = (endpoint: Endpoint, { from, to }: Range) => ({
    near: `${endpoint.name} ${Math.floor(to / believedBlocks)}`,
    same: `${endpoint.name} ${from}-${to}`,
  });

  return {
    /** Notes that an endpoint has found logs in a range, when it was asked at a time of `performance.now()`. */
    foundLogs(endpoint: Endpoint, range: Range, askedAt: number): void {
      vouchedAt.set(keysOf(endpoint, range).near, askedAt);
    },

    /** Whether the endpoint had been found to have logs of these blocks when it was asked, at a time of `performance.now()`. */
    isBelieved(endpoint: Endpoint, range: Range, askedAt: number): boolean {
      const { near, same } = keysOf(endpoint, range);
      return [near, same].some((key) => {
        const at = vouchedAt.get(key);
        return at !== undefined && at <= askedAt && askedAt - at < believedMs;
      });
    },

    /**
     * Makes sure that an endpoint that found no logs in a range has logs. What it found before counts for nothing: it may have
     * recovered in between. Where no block has any, there is nothing to tell by, and it is believed for this range.
     *
     * @throws EndpointFault of kind "wrong" if it has no logs where there are some
     */
    async check(endpoint: Endpoint, range: Range): Promise<void> {
      const { near, same } = keysOf(endpoint, range);
      const block = await findBlock(endpoint, range);
      if (block !== undefined) {
        const call = { method: "eth_getLogs", params: [{ blockHash: block.hash }] };
        const [logs] = await ask(endpoint, block.number, [call]);
        if (!Array.isArray(logs) || logs.length === 0) {
          const lie = new EndpointFault("wrong", `no logs of block ${block.number}, which has some`);
          pool.lied(endpoint, lie);
          throw lie;
        }
      }
      vouchedAt.set(block === undefined ? same : near, performance.now());
    },
  };
}

/** The last block of a range, the one in the middle, and others between; all of them if they are few. */
function spread({ from, to }: Range): number[] {
  const size = sizeOf({ from, to });
  const middle = Math.floor((from + to) / 2);
  const count = Math.min(size, mostBlocks - 2);
  const others = Array.from({ length: count }, (_, index) => from + Math.floor((index * size) / count));
  return [...new Set([to, middle, ...others])];
}

function hasLogs(header: Header): boolean {
  return isHex(header?.logsBloom) && BigInt(header.logsBloom) !== 0n;
}
