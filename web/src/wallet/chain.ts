import { chainName } from "../data/chain.ts";
import { t } from "../language/messages.ts";
import { walletChain } from "./connection.ts";
import { Refusal } from "./explain.ts";
import type { Provider } from "./providers.ts";

/** A question that a wallet hasn't answered by then is given up: extensions lose some when the browser stops them. */
const maxAnswerMs = 20_000;

/** Asks a wallet something that its owner isn't asked about. Throws if there is no answer in time. */
export async function askWallet(
  provider: Provider,
  method: string,
  params?: unknown[],
  answerMs = maxAnswerMs,
): Promise<unknown> {
  const asked = provider.request(params === undefined ? { method } : { method, params });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    // As wallets say that they have lost the chain (EIP-1193).
    timer = setTimeout(() => reject({ code: 4900 }), answerMs);
  });
  return await Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/**
 * Throws unless the wallet is on this chain now. It may have been switched since the page last heard of it.
 */
export async function assertOnChain(provider: Provider, id: number): Promise<void> {
  const current = Number(await askWallet(provider, "eth_chainId"));
  walletChain.value = current;
  if (current === id) return;
  throw new Refusal(t.transaction.onOtherChain(chainName(current), chainName(id)));
}

/** Throws if a transaction from the service isn't what the visitor asked for. */
export function assertAsAsked(contradiction: string | undefined): void {
  if (contradiction === undefined) return;
  throw new Refusal(t.transaction.contradiction(contradiction));
}

/** The DEX router that a launchpad lists its tokens on, read from the chain by the wallet. */
export async function readRouter(provider: Provider, launchpad: string): Promise<string> {
  // router()
  const params = [{ to: launchpad, data: "0xf887ea40" }, "latest"];
  return `0x${String(await askWallet(provider, "eth_call", params)).slice(-40)}`;
}

/** The time of the wallet's latest block, in seconds since 1970. */
export async function latestBlockTime(provider: Provider): Promise<number> {
  const block = await askWallet(provider, "eth_getBlockByNumber", ["latest", false]);
  return Number((block as { timestamp?: string } | null)?.timestamp ?? 0);
}

/**
 * Throws unless the wallet sees a contract at the transaction's target. Another network, such as a local one, may have the same chain
 * id, and coins sent to an address without a contract are lost.
 */
export async function assertSameNetwork(provider: Provider, contract: string): Promise<void> {
  const code = await askWallet(provider, "eth_getCode", [contract, "latest"]);
  if (typeof code === "string" && code.length > 2) return;
  throw new Error(t.transaction.otherNetwork);
}
