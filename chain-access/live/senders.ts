import { isAddress } from "../hex.ts";
import type { Hex, Log } from "../sources/log.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import { type Header, numberOf } from "./block.ts";
import { wrong } from "./check-block.ts";

/** With at least this many transactions of a block, reading the whole block costs an endpoint less. */
const minForWholeBlock = 3;

type Transaction = { hash?: Hex; from?: Hex; blockHash?: Hex } | null;

/**
 * Reads the senders of the transactions that emitted some of a block's logs.
 *
 * @returns senders by transaction hash; null if no endpoint has the block any more
 */
export async function readLiveSenders(
  ask: Ask,
  header: Header,
  logs: readonly Log[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<Hex, Hex> | null> {
  const hashes = [...new Set(logs.map(({ transactionHash }) => transactionHash))];
  if (hashes.length === 0) return new Map();
  const isWhole = hashes.length >= minForWholeBlock;
  const calls = isWhole
    ? [{ method: "eth_getBlockByHash", params: [header.hash, true] }]
    : hashes.map((hash) => ({ method: "eth_getTransactionByHash", params: [hash] }));

  function read(results: unknown[]): Map<Hex, Hex> {
    // After a reorg a transaction is unknown, pending, or in another block.
    const found = isWhole ? transactionsOf(results[0]) : results.filter(isIn(header));
    if (isWhole ? found === undefined : found?.length !== hashes.length) throw new LacksBlock();
    const byHash = new Map(found?.map((transaction) => [transaction?.hash, transaction]));
    return new Map(
      hashes.map((hash) => {
        const from = byHash.get(hash)?.from;
        if (!isAddress(from)) throw wrong("no transaction where a log says that there is one");
        return [hash, from.toLowerCase() as Hex];
      }),
    );
  }

  const sent = await ask(calls, {
    number: numberOf(header),
    signal,
    check: (results) => void read(results),
  });
  return sent === null ? null : read(sent.results);
}

const transactionsOf = (block: unknown) =>
  (block as { transactions?: Transaction[] } | null)?.transactions ?? undefined;

const isIn =
  ({ hash }: Header) =>
  (transaction: unknown): transaction is Transaction =>
    (transaction as Transaction)?.blockHash === hash;
