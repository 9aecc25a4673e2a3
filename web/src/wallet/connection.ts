import { effect, signal } from "@preact/signals";
import { account } from "./account.ts";
import { findWallets, type Wallet, wallets } from "./providers.ts";

/** The wallet that a visitor connected. */
export const connected = signal<Wallet | undefined>(undefined);

/** The chain that the wallet is on. */
export const walletChain = signal<number | undefined>(undefined);

const storageKey = "wallet";
const heard = new WeakSet<object>();

function remember(id: string | undefined): void {
  try {
    if (id === undefined) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, id);
  } catch {
    // Storage may be forbidden: then the wallet is connected until the page is left.
  }
}

/** Asks the wallet for an account. Throws what the wallet throws, such as that the visitor refused. */
export async function connect(wallet: Wallet): Promise<void> {
  await use(wallet, "eth_requestAccounts");
  remember(wallet.id);
}

export function disconnect(): void {
  connected.value = undefined;
  account.value = undefined;
  walletChain.value = undefined;
  remember(undefined);
}

async function use(wallet: Wallet, method: "eth_requestAccounts" | "eth_accounts"): Promise<void> {
  const accounts = await wallet.provider.request({ method });
  const [first] = accounts as string[];
  if (first === undefined) return;
  const chain = await wallet.provider.request({ method: "eth_chainId" });
  connected.value = wallet;
  account.value = first.toLowerCase();
  walletChain.value = Number(chain);
  if (heard.has(wallet.provider)) return;
  heard.add(wallet.provider);
  wallet.provider.on?.("accountsChanged", (accounts: string[]) => {
    if (connected.peek()?.provider !== wallet.provider) return;
    if (accounts[0] === undefined) disconnect();
    else account.value = accounts[0].toLowerCase();
  });
  wallet.provider.on?.("chainChanged", (chain: string) => {
    if (connected.peek()?.provider === wallet.provider) walletChain.value = Number(chain);
  });
}

/** Finds wallets, and connects to the one of the last visit, if it still allows that without being asked. */
export function startWallets(): void {
  findWallets();
  let last: string | null = null;
  try {
    last = localStorage.getItem(storageKey);
  } catch {
    return;
  }
  if (last === null) return;
  const stop = effect(() => {
    const wallet = wallets.value.find(({ id }) => id === last);
    if (wallet === undefined || connected.peek() !== undefined) return;
    use(wallet, "eth_accounts").catch(stayUnconnected);
    queueMicrotask(() => stop());
  });
}

/** Nobody has asked to connect. */
const stayUnconnected = () => {};
