import type { LogFilter, Range } from "../sources/log.ts";
import { senderTopics } from "../sources/senders.ts";

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
  transaction: { hash: true, from: true },
};

/** Builds the portal's query for logs. It includes the transactions if events of DEX pairs are wanted, for their senders. */
export function queryFor({ addresses, topics }: LogFilter, { from, to }: Range): string {
  const withTransactions = topics.some((topic) => senderTopics.includes(topic));
  return JSON.stringify({
    type: "evm",
    fromBlock: from,
    toBlock: to,
    fields,
    logs: [
      {
        ...(addresses === undefined ? {} : { address: addresses }),
        topic0: topics,
        ...(withTransactions ? { transaction: true } : {}),
      },
    ],
  });
}
