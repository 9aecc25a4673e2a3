import { EndpointFault } from "../endpoint/fault.ts";
import { headerByNumber, readHeader } from "../live/block.ts";
import { checkAllLogs, checkBlockLogs } from "../live/check-block.ts";
import { doubtOnce } from "../pool/doubt-once.ts";
import type { Pool } from "../pool/pool.ts";
import type { Log } from "../sources/log.ts";
import { keyOf } from "./second-opinion.ts";

export type WholeBlockOptions = {
  number: number;
  /** The logs that were read so far, which must be from the same block. */
  found: readonly Log[];
  /** The inconsistency that was found in them. */
  doubt: EndpointFault;
  /** Must throw an EndpointFault of kind "wrong" for logs that are inconsistent too. */
  check: (logs: readonly Log[]) => void;
};

/**
 * Reads all logs of a block whose events are inconsistent. Either an endpoint left some out, or contracts other than our own
 * emitted them like that. The header's bloom filter nearly always decides; logs that are still inconsistent are accepted if no
 * endpoint has others.
 */
export async function readWholeBlock(
  pool: Pool,
  { number, found, doubt, check }: WholeBlockOptions,
): Promise<Log[]> {
  const options = { priority: number, block: number };
  const { results: headers } = await pool.send([headerByNumber(number)], {
    ...options,
    check: ([answer]) => void readHeader(answer, { number }),
  });
  const header = readHeader(headers[0], { number });
  if (found.some(({ blockHash }) => blockHash !== header.hash)) throw doubt;
  const isFirstDoubt = doubtOnce();
  const { results } = await pool.send([{ method: "eth_getLogs", params: [{ blockHash: header.hash }] }], {
    ...options,
    check: ([answer], endpoint) => {
      const logs = checkBlockLogs(answer, header, {});
      checkAllLogs(logs, header);
      try {
        check(logs);
      } catch (error) {
        if (!(error instanceof EndpointFault) || isFirstDoubt(endpoint)) throw error;
      }
    },
  });
  return results[0] as Log[];
}

/** Returns those logs that are not in their blocks, read as a whole: answers about ranges may have lost the others. */
export async function findAbsent(pool: Pool, logs: readonly Log[]): Promise<Log[]> {
  const absent: Log[] = [];
  for (const [number, ofBlock] of Map.groupBy(logs, ({ blockNumber }) => Number(blockNumber))) {
    const doubt = new EndpointFault("wrong", `block ${number} without a log that it had`);
    const whole = await readWholeBlock(pool, { number, found: [], doubt, check() {} });
    const keys = new Set(whole.map(keyOf));
    absent.push(...ofBlock.filter((log) => !keys.has(keyOf(log))));
  }
  return absent;
}
