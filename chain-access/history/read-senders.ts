import { chunk } from "../chunk.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Pool } from "../pool/pool.ts";
import type { Hex, Log } from "../sources/log.ts";
import type { Senders } from "./sync-store.ts";

/** With at least this many transactions of a block, reading the whole block costs an endpoint less. */
const minForWholeBlock = 3;
/** Calls in a batch. Endpoints refuse a batch as a whole, so it is small enough for a refusal to cost little. */
const batchSize = 10;

type Transaction = { hash?: Hex; from?: Hex; blockHash?: Hex };
type Block = { hash?: Hex; transactions?: Transaction[] } | null;

/**
 * Reads the senders of logs' transactions, unless the logs have them already: the one thing about an action on a DEX pair that
 * a node's logs don't contain.
 *
 * @param priority the first block of the range that the logs are of
 */
export async function readSenders(pool: Pool, logs: readonly Log[], priority: number): Promise<Senders> {
  const known = logs.flatMap(({ transactionHash, transactionFrom: from }): [Hex, Hex][] =>
    from === undefined ? [] : [[transactionHash, from]],
  );
  const byBlock = Map.groupBy(
    logs.filter(({ transactionFrom }) => transactionFrom === undefined),
    ({ blockHash }) => blockHash,
  );
  const whole: Log[][] = [];
  const single: Log[] = [];
  for (const ofBlock of byBlock.values()) {
    const transactions = [...new Map(ofBlock.map((log) => [log.transactionHash, log])).values()];
    if (transactions.length >= minForWholeBlock) whole.push(transactions);
    else single.push(...transactions);
  }
  const found = await Promise.all([
    ...whole.map((transactions) => fromBlock(pool, transactions, priority)),
    ...chunk(single, batchSize).map((transactions) => fromTransactions(pool, transactions, priority)),
  ]);
  return new Map([...known, ...found.flat()]);
}

async function fromBlock(pool: Pool, logs: Log[], priority: number): Promise<[Hex, Hex][]> {
  const [first] = logs as [Log];
  const { results } = await pool.send(
    [{ method: "eth_getBlockByNumber", params: [first.blockNumber, true] }],
    {
      priority,
      block: Number(first.blockNumber),
      check: ([block]) => void sendersIn(block as Block, logs),
    },
  );
  return sendersIn(results[0] as Block, logs);
}

function sendersIn(block: Block, logs: Log[]): [Hex, Hex][] {
  const [first] = logs as [Log];
  if (block?.hash !== first.blockHash)
    throw wrong(`another block ${Number(first.blockNumber)} than that of its logs`);
  const byHash = new Map(block.transactions?.map((transaction) => [transaction.hash, transaction]));
  return logs.map(({ transactionHash }) => [transactionHash, senderOf(byHash.get(transactionHash))]);
}

async function fromTransactions(pool: Pool, logs: Log[], priority: number): Promise<[Hex, Hex][]> {
  const calls = logs.map(({ transactionHash }) => ({
    method: "eth_getTransactionByHash",
    params: [transactionHash],
  }));
  const read = (results: unknown[]): [Hex, Hex][] =>
    logs.map(({ transactionHash, blockHash }, index) => {
      const transaction = results[index] as Transaction | null;
      const isIt = transaction?.hash === transactionHash && transaction.blockHash === blockHash;
      return [transactionHash, senderOf(isIt ? transaction : undefined)];
    });
  const { results } = await pool.send(calls, {
    priority,
    block: Math.max(...logs.map(({ blockNumber }) => Number(blockNumber))),
    check: (results) => void read(results),
  });
  return read(results);
}

function senderOf(transaction: Transaction | undefined): Hex {
  if (transaction?.from === undefined) throw wrong("no transaction where a log says that there is one");
  return transaction.from.toLowerCase() as Hex;
}

const wrong = (what: string) => new EndpointFault("wrong", what);
