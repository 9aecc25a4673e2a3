import type { LogFilter, Range } from "../sources/log.ts";

/** Addresses per query. A query may have 256 KiB, of which an address takes 45 bytes. */
export const maxAddresses = 5_000;

const fields = {
  block: { number: true, hash: true, timestamp: true },
  log: {
    address: true,
    topics: true,
    data: true,
    logIndex: true,
    transactionIndex: true,
    transactionHash: true,
  },
};

/** Builds the portal's query for logs. */
export function queryFor({ addresses, topics }: LogFilter, { from, to }: Range): string {
  return JSON.stringify({
    type: "evm",
    fromBlock: from,
    toBlock: to,
    fields,
    logs: [{ ...(addresses === undefined ? {} : { address: addresses }), topic0: topics }],
  });
}
