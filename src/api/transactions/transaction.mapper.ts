import {
  type Abi,
  type Address,
  parseEventLogs,
  type TransactionReceipt,
  type Transaction as Viem,
} from "viem";
import { dexPairAbi } from "../../../abis/DexPair.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { decodeCall } from "../chain/decode-call.ts";
import { maxEvents, type Transaction } from "./transaction.routes.ts";

const eventAbi: Abi = [...launchpadAbi, ...tokenFactoryAbi, ...launchTokenAbi, ...dexPairAbi];

type Mined = {
  transaction: Pick<Viem, "from" | "to" | "value" | "input">;
  /** Undefined while the transaction is pending. */
  receipt: TransactionReceipt | undefined;
  /** Why it reverted, if it did. */
  revertReason: string | undefined;
};

/** Maps a transaction to its response, and decodes its call and the events that it caused. */
export function toTransaction(
  { transaction, receipt, revertReason }: Mined,
  { hash, chainId }: { hash: string; chainId: number },
): Transaction {
  const call = decodeCall(transaction.input);
  const logs = parseEventLogs({ abi: eventAbi, logs: receipt?.logs ?? [], strict: true });
  const known = logs as unknown as { address: Address; eventName: string; args: object }[];
  return {
    hash,
    chainId,
    status: receipt === undefined ? "pending" : receipt.status === "success" ? "succeeded" : "reverted",
    ...(revertReason === undefined ? {} : { revertReason }),
    block: receipt === undefined ? null : Number(receipt.blockNumber),
    from: transaction.from.toLowerCase(),
    to: transaction.to?.toLowerCase() ?? null,
    valueWei: String(transaction.value),
    gasUsed: receipt === undefined ? null : Number(receipt.gasUsed),
    call: call === undefined ? null : { functionName: call.functionName, args: toTexts(call.args) },
    events: known.slice(0, maxEvents).map(({ address, eventName, args }) => ({
      contract: address.toLowerCase(),
      name: eventName,
      args: toTexts(args),
    })),
    moreEvents: known.length > maxEvents,
  };
}

/** Formats values as text: hexadecimal in lower case, everything else as it is. */
function toTexts(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const text = String(value);
      return [name, /^0x[0-9a-fA-F]*(,0x[0-9a-fA-F]*)*$/.test(text) ? text.toLowerCase() : text];
    }),
  );
}
