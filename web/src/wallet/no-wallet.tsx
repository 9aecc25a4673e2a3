import { targetChain } from "../data/chain.ts";
import { t } from "../language/messages.ts";
import { url } from "../routing/router.ts";

/** What to do without a wallet: on a phone, the page can be opened in an app that has one. */
export default function NoWallet() {
  if (!matchMedia("(pointer: coarse)").matches) {
    return <p>{t.wallet.noWallet}</p>;
  }
  return (
    <>
      <p>{t.wallet.noWalletOnPhone}</p>
      <ul class="wallets">
        {walletApps.map(({ name, linkTo }) => (
          <li key={name}>
            <a class="button" href={linkTo(url.value.href, targetChain())} rel="noopener noreferrer">
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

/** The apps that traders on BNB Smart Chain use. Most links open the app's store where it isn't installed; TokenPocket has none that does. */
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
  {
    name: "TokenPocket",
    linkTo: (url) => `tpdapp://open?params=${encode(JSON.stringify({ url, chain: "BSC" }))}`,
  },
];
