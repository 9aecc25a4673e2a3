import type { ComponentChildren } from "preact";
import { chainName, coinOf } from "../data/chain.ts";
import { t } from "../language/messages.ts";
import { account, connected, walletChain } from "./connection.ts";
import { explain } from "./explain.ts";
import type { Status, StatusSignal } from "./run-steps.ts";
import { WalletButton } from "./wallet-button.tsx";

const hex = (number: number) => `0x${number.toString(16)}`;

/** The public endpoints with which wallets add a chain. */
const chains: Record<number, { rpcUrls: string[]; blockExplorerUrls: string[] }> = {
  56: { rpcUrls: ["https://bsc-dataseed.bnbchain.org"], blockExplorerUrls: ["https://bscscan.com"] },
  97: {
    rpcUrls: ["https://data-seed-prebsc-1-s1.bnbchain.org:8545"],
    blockExplorerUrls: ["https://testnet.bscscan.com"],
  },
};

/** Asks the wallet to switch to a chain, and to add it if the wallet doesn't know it. */
export async function switchChain(id: number): Promise<void> {
  const provider = connected.peek()?.provider;
  if (provider === undefined) return;
  try {
    await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId: hex(id) }] });
  } catch (error) {
    const { code, data } = error as { code?: unknown; data?: { originalError?: { code?: unknown } } };
    // MetaMask on phones wraps it.
    if (code !== 4902 && data?.originalError?.code !== 4902) throw error;
    const symbol = coinOf(id);
    const nativeCurrency = { name: symbol, symbol, decimals: 18 };
    await provider.request({
      method: "wallet_addEthereumChain",
      params: [{ chainId: hex(id), chainName: chainName(id), nativeCurrency, ...chains[id] }],
    });
  }
  walletChain.value = Number(await provider.request({ method: "eth_chainId" }));
}

type WithWalletProps = { chain: number; status: StatusSignal; children: ComponentChildren };

/** The buttons of a form that needs a wallet on a chain. Until it is there, one that connects the wallet, or switches it, takes their place. */
export function WithWallet({ chain, status, children }: WithWalletProps): ComponentChildren {
  if (account.value === undefined) return <WalletButton primary />;
  if (walletChain.value === chain) return children;
  // A form that is at work goes on, and says itself how that is going.
  const say = (said: Status) => {
    if (status.peek().kind !== "working") status.value = said;
  };
  const change = () =>
    switchChain(chain).then(
      () => say({ kind: "idle" }),
      (error: unknown) => say({ kind: "failed", text: explain(error) }),
    );
  return (
    <button type="button" class="button is-primary is-wide" onClick={change}>
      {t.common.switchWallet(chainName(chain))}
    </button>
  );
}
