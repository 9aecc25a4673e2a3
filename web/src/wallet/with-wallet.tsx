import type { ComponentChildren } from "preact";
import { chainName } from "../data/chain.ts";
import { t } from "../language/messages.ts";
import { account, walletChain } from "./connection.ts";
import { explain } from "./explain.ts";
import type { StatusSignal } from "./run-steps.ts";
import { switchChain } from "./switch-chain.ts";
import { WalletButton } from "./wallet-button.tsx";

type WithWalletProps = { chain: number; status: StatusSignal; children: ComponentChildren };

/** The buttons of a form that needs a wallet on a chain. Until it is there, one that connects the wallet, or switches it, takes their place. */
export function WithWallet({ chain, status, children }: WithWalletProps) {
  if (account.value === undefined) return <WalletButton primary />;
  if (walletChain.value === chain) return <>{children}</>;
  const change = async () => {
    try {
      await switchChain(chain);
      status.value = { kind: "idle" };
    } catch (error) {
      status.value = { kind: "failed", text: explain(error) };
    }
  };
  return (
    <button type="button" class="button is-primary is-wide" onClick={() => void change()}>
      {t.common.switchWallet(chainName(chain))}
    </button>
  );
}
