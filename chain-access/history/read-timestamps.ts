import { chunk } from "../chunk.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { headerByNumber } from "../live/block.ts";
import type { Pool } from "../pool/pool.ts";
import { hasTimestamp, isTime, type Log } from "../sources/log.ts";

/** Calls in a batch. */
const batchSize = 20;

type Header = { hash?: string; timestamp?: string } | null;

/**
 * Reads the timestamps of blocks whose logs don't have them.
 *
 * @returns seconds since 1970 by block number
 */
export async function readTimestamps(
  pool: Pool,
  logs: readonly Log[],
  priority: number,
): Promise<Map<number, number>> {
  const first = new Map<number, Log>();
  for (const log of logs) if (!hasTimestamp(log)) first.set(Number(log.blockNumber), log);
  const parts = chunk([...first.values()], batchSize);
  const found = await Promise.all(parts.map((part) => readPart(pool, part, priority)));
  return new Map(found.flat());
}

async function readPart(pool: Pool, logs: Log[], priority: number): Promise<[number, number][]> {
  const calls = logs.map(({ blockNumber }) => headerByNumber(Number(blockNumber)));
  const read = (results: unknown[]): [number, number][] =>
    logs.map(({ blockNumber, blockHash }, index) => {
      const header = results[index] as Header;
      const number = Number(blockNumber);
      const time = Number(header?.timestamp);
      if (header?.hash !== blockHash) throw wrong(`another block ${number} than that of its logs`);
      if (!isTime(time)) throw wrong(`block ${number} without a plausible time`);
      return [number, time];
    });
  const { results } = await pool.send(calls, {
    priority,
    block: Math.max(...logs.map(({ blockNumber }) => Number(blockNumber))),
    check: (results) => void read(results),
  });
  return read(results);
}

const wrong = (what: string) => new EndpointFault("wrong", what);
