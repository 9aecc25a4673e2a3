/* Replacement transactions: a wallet sends another transaction with the same nonce and a higher fee. */

/** A transaction as nodes return it. */
export type SentTransaction = {
  hash: string;
  nonce: string;
  from: string;
  to: string | null;
  input: string;
  value: string;
};

/** How many blocks are searched. The replacement was mined a moment ago. */
const maxBlocks = 30;

/** Finds the account's mined transaction with this nonce in the last blocks. */
export async function findReplacement(
  ask: (method: string, params: unknown[]) => Promise<unknown>,
  from: string,
  nonce: string,
): Promise<SentTransaction | undefined> {
  const head = Number(await ask("eth_blockNumber", []));
  for (let number = head; number >= Math.max(0, head - maxBlocks); number--) {
    const block = await ask("eth_getBlockByNumber", [`0x${number.toString(16)}`, true]);
    const { transactions = [] } = (block ?? {}) as { transactions?: SentTransaction[] };
    const found = transactions.find(
      (one) => one.from.toLowerCase() === from && Number(one.nonce) === Number(nonce),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether both transactions do the same, as when one speeds the other up. */
export const isSame = (one: SentTransaction, other: SentTransaction): boolean =>
  one.to?.toLowerCase() === other.to?.toLowerCase() &&
  one.input === other.input &&
  BigInt(one.value) === BigInt(other.value);

/** Whether a transaction is a cancellation: wallets send an empty transaction to the account itself. */
export const isCancel = ({ from, to, input, value }: SentTransaction): boolean =>
  to?.toLowerCase() === from.toLowerCase() && input === "0x" && BigInt(value) === 0n;
