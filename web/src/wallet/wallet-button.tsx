import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { plainText } from "../format/plain-text.ts";
import { shortAddress } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Icon, IconButton } from "../parts/icons.tsx";
import { lazyComponent } from "../routing/lazy.tsx";
import { accountPath, withChain } from "../routing/router.ts";
import { account, connect, disconnect } from "./connection.ts";
import { explain } from "./explain.ts";
import { requestWallets, type Wallet, wallets } from "./providers.ts";

/** Incremented when something asks for a wallet. */
const requests = signal(0);

/** Opens the dialog in which the visitor chooses a wallet. */
export function chooseWallet(): void {
  requestWallets();
  requests.value++;
}

/** Connects a wallet. Once connected, links to its account. */
export function WalletButton({ primary = false }: { primary?: boolean }) {
  if (account.value !== undefined && !primary) {
    return (
      <span class="wallet">
        <a class="button" href={withChain(accountPath(account.value))} title={account.value}>
          <Icon name="wallet" />
          {shortAddress(account.value)}
        </a>
        <IconButton icon="close" label={t.wallet.disconnect} onClick={disconnect} />
      </span>
    );
  }
  return (
    <button
      type="button"
      class={primary ? "button is-primary is-wide" : "button"}
      aria-haspopup="dialog"
      onClick={chooseWallet}
    >
      <Icon name="wallet" />
      <span>
        {t.wallet.connect((text) => (
          <span class={primary ? "" : "wide-only"}>{text}</span>
        ))}
      </span>
    </button>
  );
}

/** Loaded when the dialog is first opened without a wallet. */
const NoWallet = lazyComponent<object>(
  () => import("./no-wallet.tsx"),
  () => null,
);

/** The dialog that {@link chooseWallet} opens. */
export function WalletDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<string>();
  const request = requests.value;
  useEffect(() => {
    if (request === 0) return;
    setProblem(undefined);
    if (dialog.current?.open === false) dialog.current.showModal();
  }, [request]);
  const choose = async (wallet: Wallet) => {
    setProblem(undefined);
    try {
      await connect(wallet);
      dialog.current?.close();
    } catch (error) {
      setProblem(explain(error));
    }
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="wallets-title">
      <h2 id="wallets-title">{t.wallet.choose}</h2>
      {wallets.value.length === 0 ? (
        request > 0 && <NoWallet />
      ) : (
        <ul class="wallets">
          {wallets.value.map((wallet) => (
            <li key={wallet.id}>
              <button type="button" class="button" onClick={() => void choose(wallet)}>
                {wallet.icon !== undefined && <img src={wallet.icon} alt="" width="24" height="24" />}
                {plainText(wallet.name)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p role="alert" class="down">
          {problem}
        </p>
      )}
      <p class="muted">{t.wallet.neverAKey}</p>
      <form method="dialog">
        <button type="submit" class="button">
          {t.common.close}
        </button>
      </form>
    </dialog>
  );
}
