import { hexToBigInt, isHex, numberToHex } from "viem";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Pool } from "../pool/pool.ts";
import type { Range } from "../sources/log.ts";

/** For so long, and so many blocks around, an endpoint that has logs is believed when it finds none. */
const believedMs = 60_000;
const believedBlocks = 500_000;
/** Milliseconds for an answer of this one endpoint. */
const patienceMs = 10_000;

/**
 * Some nodes find no logs where there are some: while they build an index, or where they have deleted them. Makes a check of an
 * endpoint that found none: that it has logs of a block whose bloom filter says that there are some.
 */
export function createVouch(pool: Pool) {
  const vouched = new Map<string, number>();

  async function ask(endpoint: Endpoint, block: number, method: string, params: unknown[]): Promise<unknown> {
    const canAsk = (other: Endpoint) => other === endpoint;
    const signal = AbortSignal.timeout(patienceMs);
    const options = { priority: block, block, canAsk, signal };
    const { results } = await pool.send([{ method, params }], options).catch((error: unknown) => {
      throw signal.aborted ? new EndpointFault("timeout", "no answer in time") : error;
    });
    return results[0];
  }

  /** Whether the endpoint has logs of a block; undefined if the block has none to tell by. */
  async function hasLogs(endpoint: Endpoint, block: number): Promise<boolean | undefined> {
    const header = await ask(endpoint, block, "eth_getBlockByNumber", [numberToHex(block), false]);
    const { hash, logsBloom } = (header ?? {}) as { hash?: string; logsBloom?: string };
    if (!isHex(logsBloom) || hexToBigInt(logsBloom) === 0n) return undefined;
    const logs = await ask(endpoint, block, "eth_getLogs", [{ blockHash: hash }]);
    return Array.isArray(logs) && logs.length > 0;
  }

  /** @throws EndpointFault of kind "wrong" if an endpoint that found no logs in a range has none where there are some. */
  return async (endpoint: Endpoint, { from, to }: Range): Promise<void> => {
    const key = `${endpoint.name} ${Math.floor(to / believedBlocks)}`;
    if (performance.now() - (vouched.get(key) ?? Number.NEGATIVE_INFINITY) < believedMs) return;
    for (const block of new Set([to, Math.floor((from + to) / 2)])) {
      const has = await hasLogs(endpoint, block);
      if (has === undefined) continue;
      if (has) break;
      const lie = new EndpointFault("wrong", `no logs of block ${block}, which has some`);
      pool.lied(endpoint, lie);
      throw lie;
    }
    vouched.set(key, performance.now());
  };
}
