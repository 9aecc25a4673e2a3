import { signal } from "@preact/signals";
import { t } from "../language/messages.ts";

/** The interface of a wallet (EIP-1193). */
export type Provider = {
  request: (call: { method: string; params?: unknown }) => Promise<unknown>;
  on?: (event: string, listener: (value: never) => void) => void;
};

/** A wallet that has announced itself (EIP-6963), or put itself into the page. Its name and icon are unverified. */
export type Wallet = { id: string; name: string; icon?: string | undefined; provider: Provider };

/** The wallets of this browser. */
export const wallets = signal<Wallet[]>([]);

type Announcement = { info?: { rdns?: unknown; name?: unknown; icon?: unknown }; provider?: Provider };

/** A longer icon is not shown. */
const maxIconLength = 300_000;

/** The URL of an icon that a wallet announces as a data URI. The page's policy allows images from blobs, and scripts in neither. */
function iconUrl(icon: unknown): string | undefined {
  if (typeof icon !== "string" || icon.length > maxIconLength) return undefined;
  const parts = /^data:(image\/(?:svg\+xml|png|jpeg|webp|gif))[^,]*?(;base64)?,(.*)$/s.exec(icon);
  if (parts === null) return undefined;
  const [, type = "", isBase64, data = ""] = parts;
  try {
    const bytes = isBase64
      ? Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))
      : decodeURIComponent(data);
    return URL.createObjectURL(new Blob([bytes], { type }));
  } catch {
    return undefined;
  }
}

/** Starts finding wallets. Extensions announce themselves when requested, or later. */
export function findWallets(): void {
  window.addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail ?? {};
    if (provider === undefined || typeof info?.rdns !== "string" || typeof info.name !== "string") return;
    addWallet({ id: info.rdns, name: info.name.slice(0, 60), provider }, info.icon);
  });
  const rpc = document.querySelector<HTMLMetaElement>('meta[name="local-rpc"]')?.content;
  if (rpc !== undefined) addWallet({ id: "local", name: t.wallet.localWallet, provider: nodeWallet(rpc) });
  window.addEventListener("ethereum#initialized", requestWallets);
  requestWallets();
}

/** Requests wallets to announce themselves. One that doesn't, as in some wallets' own browsers, is taken from the page. */
export function requestWallets(): void {
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  const provider = (window as { ethereum?: unknown }).ethereum as InjectedProvider | undefined;
  const isAlone = wallets.value.every(({ id }) => id === "local");
  if (isAlone && typeof provider?.request === "function") {
    addWallet({ id: injectedId, name: injectedName(provider), provider });
  }
}

const injectedId = "injected";

/** Wallets that put themselves into the page say by a flag which one they are. */
type InjectedProvider = Provider & Record<string, unknown>;
const flags = {
  isTrust: "Trust Wallet",
  isTrustWallet: "Trust Wallet",
  isOkxWallet: "OKX Wallet",
  isBinance: "Binance Wallet",
  isTokenPocket: "TokenPocket",
  isRabby: "Rabby",
  // Last, because many others say that they are MetaMask too.
  isMetaMask: "MetaMask",
};

const injectedName = (provider: InjectedProvider) =>
  Object.entries(flags).find(([flag]) => provider[flag] === true)?.[1] ?? t.wallet.browserWallet;

function addWallet(wallet: Wallet, icon?: unknown): void {
  // One that announces itself late is better known by that.
  const others = wallets.value.filter(({ id }) => id !== injectedId || wallet.id === "local");
  if (others.some(({ id }) => id === wallet.id)) return;
  wallets.value = [...others, { ...wallet, icon: iconUrl(icon) }];
}

/** A wallet backed by the local chain's node, which has funded accounts and signs for anyone. It only exists with `npm run dev`. */
function nodeWallet(rpc: string): Provider {
  let id = 0;
  const unreachable = () => {
    throw { code: 4900 };
  };
  return {
    async request({ method, params = [] }) {
      const silentMethod = { eth_requestAccounts: "eth_accounts" }[method] ?? method;
      const response = await fetch(rpc, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method: silentMethod, params }),
      }).catch(unreachable);
      const { result, error } = await response.json();
      if (error !== undefined) throw error;
      return silentMethod === "eth_accounts" ? result.slice(0, 1) : result;
    },
  };
}
