import type { LogFilter, Range } from "../sources/log.ts";
import { senderTopics } from "../sources/senders.ts";

/** Addresses of a query, whose text may have 256 KiB. An address takes 45 bytes of it. */
export const mostAddresses = 5_000;

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

/** The portal's query for logs, with the transactions where DEX pairs are among the contracts, since no log tells their senders. */
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
