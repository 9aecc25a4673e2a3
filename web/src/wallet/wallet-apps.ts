/** Apps for phones whose own browser has their wallet in it, with links that open a page there. */
type WalletApp = { name: string; linkTo: (url: string, chainId: number) => string };

const encode = encodeURIComponent;

/** The apps that traders on BNB Smart Chain use. Their links open the app's store where it isn't installed. */
export const walletApps: WalletApp[] = [
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
