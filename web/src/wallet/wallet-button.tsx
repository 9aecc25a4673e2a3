import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { chainId } from "../data/chain.ts";
import { plainText } from "../format/plain-text.ts";
import { shortAddress } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";
import { url } from "../routing/router.ts";
import { accountPath, withChain } from "../routing/routes.ts";
import { account } from "./account.ts";
import { connect, disconnect } from "./connection.ts";
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
        <button type="button" class="icon-button" aria-label={t.wallet.disconnect} onClick={disconnect}>
          <Icon name="close" />
        </button>
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
        <NoWallet />
      ) : (
        <ul class="wallets">
          {wallets.value.map((wallet) => (
            <li key={wallet.id}>
              <button type="button" class="button" onClick={() => void choose(wallet)}>
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

/** What to do without a wallet: on a phone, the page can be opened in an app that has one. */
function NoWallet() {
  if (!matchMedia("(pointer: coarse)").matches) {
    return <p>{t.wallet.noWallet}</p>;
  }
  return (
    <>
      <p>{t.wallet.noWalletOnPhone}</p>
      <ul class="wallets">
        {walletApps.map(({ name, linkTo }) => (
          <li key={name}>
            <a class="button" href={linkTo(url.value.href, chainId.value ?? 56)} rel="noopener noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Apps for phones whose own browser has their wallet in it, with links that open a page there. */
type WalletApp = { name: string; linkTo: (url: string, chainId: number) => string };

const encode = encodeURIComponent;

/** The apps that traders on BNB Smart Chain use. Their links open the app's store where it isn't installed. */
const walletApps: WalletApp[] = [
  {
    name: "MetaMask",
    linkTo: (url) => `https://metamask.app.link/dapp/${url.replace(/^https?:\/\//, "")}`,
  },
  {
    name: "Trust Wallet",
    // 20000714 is BNB Smart Chain among the coins of SLIP-44.
    linkTo: (url) => `https://link.trustwallet.com/open_url?coin_id=20000714&url=${encode(url)}`,
  },
  {
    name: "OKX Wallet",
    linkTo: (url) =>
      `https://www.okx.com/download?deeplink=${encode(`okx://wallet/dapp/url?dappUrl=${encode(url)}`)}`,
  },
  {
    name: "Binance Wallet",
    linkTo: (url, chainId) => {
      const query = `url=${encode(url)}&defaultChainId=${chainId}`;
      const app = `bnc://app.binance.com/mp/app?appId=yFK5FCqYprrXDiVFbhyRx7&startPagePath=${btoa("/pages/browser/index")}&startPageQuery=${btoa(query)}`;
      return `https://app.binance.com/en/download?_dp=${encode(btoa(app))}`;
    },
  },
];
