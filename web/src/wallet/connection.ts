import { effect, signal } from "@preact/signals";
import { readStored, writeStored } from "../data/storage.ts";
import { findWallets, type Wallet, wallets } from "./providers.ts";

/** The account of the connected wallet, in lower case; undefined if none is connected, or it is locked. */
export const account = signal<string | undefined>(undefined);

export const connected = signal<Wallet | undefined>(undefined);

export const walletChain = signal<number | undefined>(undefined);

const storageKey = "wallet";
const subscribed = new WeakSet<object>();

/** Asks the wallet for an account. Throws the wallet's error, for example if the visitor refuses. */
export async function connect(wallet: Wallet): Promise<void> {
  await activate(wallet, "eth_requestAccounts");
  writeStored(storageKey, wallet.id);
}

export function disconnect(): void {
  connected.value = undefined;
  account.value = undefined;
  walletChain.value = undefined;
  writeStored(storageKey, undefined);
}

async function activate(wallet: Wallet, method: "eth_requestAccounts" | "eth_accounts"): Promise<void> {
  const accounts = await wallet.provider.request({ method });
  const [first] = accounts as string[];
  if (first === undefined) return;
  const chain = await wallet.provider.request({ method: "eth_chainId" });
  // Nobody asked for the wallet of the last visit, which may take seconds: by now, another one may have been chosen.
  if (method === "eth_accounts" && connected.peek() !== undefined) return;
  connected.value = wallet;
  account.value = first.toLowerCase();
  walletChain.value = Number(chain);
  if (subscribed.has(wallet.provider)) return;
  subscribed.add(wallet.provider);
  wallet.provider.on?.("accountsChanged", (accounts: string[]) => {
    // A locked wallet has none until it is unlocked.
    if (connected.peek()?.provider === wallet.provider) account.value = accounts[0]?.toLowerCase();
  });
  wallet.provider.on?.("chainChanged", (chain: string) => {
    if (connected.peek()?.provider === wallet.provider) walletChain.value = Number(chain);
  });
}

/** Finds wallets, and reconnects to that of the last visit if it allows that without a prompt. */
export function startWallets(): void {
  findWallets();
  const last = readStored(storageKey);
  if (last === undefined) return;
  const stop = effect(() => {
    const wallet = wallets.value.find(({ id }) => id === last);
    if (wallet === undefined || connected.peek() !== undefined) return;
    activate(wallet, "eth_accounts").catch(ignoreRefusal);
    queueMicrotask(() => stop());
  });
}

/** The visitor didn't ask to connect, so a refusal is not reported. */
const ignoreRefusal = () => {};
