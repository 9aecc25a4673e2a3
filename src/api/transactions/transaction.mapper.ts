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
import type { ChainSettings } from "../../../config/env.ts";
import { decodeCallTo } from "../chain/decode-call.ts";
import { maxEvents, type Transaction } from "./transaction.routes.ts";

type Chain = Pick<ChainSettings, "id" | "launchpad" | "tokenFactory">;

/** Returns the events that a contract may have: others can emit the launchpad's, and would pass for it. */
function eventAbiOf(emitter: Address, { launchpad, tokenFactory }: Chain): Abi {
  const isEmitter = (address: Address) => address.toLowerCase() === emitter.toLowerCase();
  if (isEmitter(launchpad)) return launchpadAbi;
  if (isEmitter(tokenFactory)) return tokenFactoryAbi;
  return [...launchTokenAbi, ...dexPairAbi];
}

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
  hash: string,
  chain: Chain,
): Transaction {
  const { to } = transaction;
  const call = to ? decodeCallTo(to, transaction.input, chain) : undefined;
  const logs = (receipt?.logs ?? []).flatMap((log) =>
    parseEventLogs({ abi: eventAbiOf(log.address, chain), logs: [log], strict: true }),
  );
  const known = logs as unknown as { address: Address; eventName: string; args: object }[];
  return {
    hash,
    chainId: chain.id,
    status: receipt === undefined ? "pending" : receipt.status === "success" ? "succeeded" : "reverted",
    ...(revertReason === undefined ? {} : { revertReason }),
    block: receipt === undefined ? null : Number(receipt.blockNumber),
    from: transaction.from.toLowerCase(),
    to: to?.toLowerCase() ?? null,
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
