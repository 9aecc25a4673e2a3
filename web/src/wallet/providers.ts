import { signal } from "@preact/signals";

/** A wallet's way of being asked (EIP-1193). */
export type Provider = {
  request: (call: { method: string; params?: unknown }) => Promise<unknown>;
  on?: (event: string, listener: (value: never) => void) => void;
};

/** A wallet as it announces itself (EIP-6963). Its name is its own claim. */
export type Wallet = { id: string; name: string; provider: Provider };

/** The wallets of this browser. */
export const wallets = signal<Wallet[]>([]);

type Announcement = { info?: { rdns?: unknown; name?: unknown }; provider?: Provider };

/** Finds wallets from now on: extensions announce themselves when they are asked, or later. */
export function findWallets(): void {
  window.addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail ?? {};
    if (provider === undefined || typeof info?.rdns !== "string" || typeof info.name !== "string") return;
    addWallet({ id: info.rdns, name: info.name.slice(0, 60), provider });
  });
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  const rpc = document.querySelector<HTMLMetaElement>('meta[name="local-rpc"]')?.content;
  if (rpc !== undefined)
    addWallet({ id: "local", name: "Test wallet of this local chain", provider: nodeWallet(rpc) });
}

function addWallet(wallet: Wallet): void {
  if (wallets.value.some(({ id }) => id === wallet.id)) return;
  wallets.value = [...wallets.value, wallet];
}

/** The local chain's node holds funded accounts and signs for everyone. It is there with `npm run dev` alone. */
function nodeWallet(rpc: string): Provider {
  let id = 0;
  return {
    async request({ method, params = [] }) {
      const known = { eth_requestAccounts: "eth_accounts" }[method] ?? method;
      const response = await fetch(rpc, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method: known, params }),
      });
      const { result, error } = await response.json();
      if (error !== undefined) throw error;
      return known === "eth_accounts" ? result.slice(0, 1) : result;
    },
  };
}
