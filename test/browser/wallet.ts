import type { Page } from "playwright-core";
import type { Address } from "viem";

export type TestWallet = Awaited<ReturnType<typeof injectWallet>>;

type SentTransaction = {
  to: string;
  data: string;
  value: string;
  from: string;
  chainId: string;
  gas: string;
};

/** A wallet's page script: passes requests on to the test. */
const provider = `
  const listeners = {};
  window.emitWalletEvent = (event, value) => (listeners[event] ?? []).forEach((listener) => listener(value));
  const provider = {
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    async request(call) {
      const { result, error } = await window.askTestWallet(call);
      if (error !== undefined) throw error;
      return result;
    },
  };`;

const icon = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')}`;

/** Announces it by EIP-6963. */
const announce = `
  const info = { uuid: "test", rdns: "test.wallet", name: "Test wallet", icon: "${icon}" };
  const announce = () =>
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  window.addEventListener("eip6963:requestProvider", announce);
  announce();`;

/** Puts it into the page without a word, as older wallets and some wallets' own browsers do. */
const inject = "window.ethereum = Object.assign(provider, { isMetaMask: true });";

type WalletOptions = { rpcUrl: string; account: Address; isInjected?: boolean };

/**
 * Injects a wallet into every page that opens from now on. It has an account of the chain's node, which signs for it.
 *
 * @param isInjected whether it is only in the page, as `window.ethereum`, and doesn't announce itself
 */
export async function injectWallet(page: Page, { rpcUrl, account, isInjected = false }: WalletOptions) {
  const asked: string[] = [];
  const sent: SentTransaction[] = [];
  let rejects = false;
  let isSilent = false;
  const unanswered: { method: string; params: unknown; answer: (result: unknown) => void }[] = [];
  let chainId: number | undefined;
  let isCutOff = false;
  let signsTypedData = true;
  let code: string | undefined;
  let gasPrice: bigint | undefined;
  const toLose = new Set<string>();

  async function answer(method: string, params: unknown): Promise<unknown> {
    switch (method) {
      case "eth_requestAccounts":
      case "eth_accounts":
        return [account];
      case "eth_chainId":
        if (chainId !== undefined) return `0x${chainId.toString(16)}`;
        break;
      case "wallet_switchEthereumChain": {
        const [{ chainId: asked }] = params as [{ chainId: string }];
        chainId = asked === (await askNode("eth_chainId", [])) ? undefined : Number(asked);
        return null;
      }
      case "eth_sendTransaction":
        sent.push((params as [SentTransaction])[0]);
        return await sign(method, params);
      case "eth_signTypedData_v4":
        if (!signsTypedData) throw { code: 4200, message: "The method is not supported." };
        // Wallets sign for the chain that they are on.
        if (chainId !== undefined)
          throw { code: -32_603, message: "Provided chainId is not the active one." };
        return await sign(method, params);
      case "eth_gasPrice":
        if (gasPrice !== undefined) return `0x${gasPrice.toString(16)}`;
        break;
      case "eth_getCode":
        if (code !== undefined && (params as [string])[0] === account.toLowerCase()) return code;
        break;
    }
    return await askNode(method, params);
  }

  async function sign(method: string, params: unknown): Promise<unknown> {
    if (isSilent) {
      return await new Promise((answer) => unanswered.push({ method, params, answer }));
    }
    if (rejects) throw { code: 4001, message: "User rejected the request." };
    return await askNode(method, params);
  }

  async function askNode(method: string, params: unknown): Promise<unknown> {
    if (isCutOff) throw { code: -32_603, message: "connect ECONNREFUSED 127.0.0.1:8545" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: params ?? [] });
    const response = await fetch(rpcUrl, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    const { result, error } = (await response.json()) as { result: unknown; error?: unknown };
    if (error !== undefined) throw error;
    return result;
  }

  await page.exposeFunction(
    "askTestWallet",
    async ({ method, params }: { method: string; params: unknown }) => {
      asked.push(method);
      if (toLose.delete(method)) return await new Promise<never>(() => {});
      return await answer(method, params).then(
        (result) => ({ result }),
        (error) => ({ error }),
      );
    },
  );
  await page.addInitScript({ content: `{${provider}\n${isInjected ? inject : announce}}` });

  return {
    /** Forgets everything that happened, as a wallet that was just installed. */
    reset() {
      asked.length = 0;
      sent.length = 0;
      unanswered.length = 0;
      rejects = false;
      isSilent = false;
      chainId = undefined;
      isCutOff = false;
      signsTypedData = true;
      code = undefined;
      gasPrice = undefined;
      toLose.clear();
    },
    /** The methods that were requested. */
    asked,
    /** The transactions that the page asked it to send, confirmed or not. */
    sent,
    /** Sets whether the wallet's owner rejects what is to be signed. */
    reject(isRejecting: boolean) {
      rejects = isRejecting;
    },
    /** Sets whether its RPC endpoint is down. */
    cutOff(isDown: boolean) {
      isCutOff = isDown;
    },
    /** Makes it one of the wallets that sign transactions only. */
    refuseTypedData() {
      signsTypedData = false;
    },
    /** Sets what it says is the code of its account. */
    haveCode(hex: string) {
      code = hex;
    },
    /** Sets the gas price that it gives, in wei. */
    haveGasPrice(wei: bigint) {
      gasPrice = wei;
    },
    /** Never answers the next request of this method. */
    loseNext(method: string) {
      toLose.add(method);
    },
    /** Keeps signing requests waiting for the owner, until {@link confirm}. */
    leaveUnanswered() {
      isSilent = true;
    },
    /** Confirms the waiting requests as the owner. The page that sent them may be closed by then. */
    async confirm() {
      isSilent = false;
      for (const { method, params, answer } of unanswered.splice(0)) answer(await askNode(method, params));
    },
    /** The number of requests that wait for the owner. */
    waiting: () => unanswered.length,
    /** Switches it to another chain without an event, as when the wallet's window is open. */
    moveQuietlyTo(id: number) {
      chainId = id;
    },
    /** Switches it to another account. */
    async changeAccount(to: Address) {
      await page.evaluate(`emitWalletEvent("accountsChanged", ["${to}"])`);
    },
    /** Switches it to another chain, until a page asks it to switch back. */
    async moveTo(id: number) {
      chainId = id;
      await page.evaluate(`emitWalletEvent("chainChanged", "0x${id.toString(16)}")`);
    },
    async connect() {
      await page
        .getByRole("banner")
        .getByRole("button", { name: /Connect/ })
        .click();
      await page.getByRole("dialog").getByRole("button", { name: "Test wallet" }).click();
      await page.getByRole("button", { name: "Disconnect the wallet" }).waitFor();
    },
  };
}
