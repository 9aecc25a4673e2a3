import { signal } from "@preact/signals";

/** The interface of a wallet (EIP-1193). */
export type Provider = {
  request: (call: { method: string; params?: unknown }) => Promise<unknown>;
  on?: (event: string, listener: (value: never) => void) => void;
};

/** A wallet that has announced itself (EIP-6963). Its name is unverified. */
export type Wallet = { id: string; name: string; provider: Provider };

/** The wallets of this browser. */
export const wallets = signal<Wallet[]>([]);

type Announcement = { info?: { rdns?: unknown; name?: unknown }; provider?: Provider };

/** Starts finding wallets. Extensions announce themselves when requested, or later. */
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

/** A wallet backed by the local chain's node, which has funded accounts and signs for anyone. It only exists with `npm run dev`. */
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
