import { expect, test, vi } from "vitest";
import type { Provider, Wallet } from "./providers.ts";

test("the wallet of the last visit takes nothing over that was chosen before it answered", async () => {
  // What the pages' modules find in a browser.
  const browser = new EventTarget();
  vi.stubGlobal("window", browser);
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("localStorage", { getItem: () => "slow", setItem() {}, removeItem() {} });
  const { account, connect, connected, startWallets } = await import("./connection.ts");
  const { wallets } = await import("./providers.ts");
  // Other files may have connected one.
  connected.value = undefined;

  const woken = Promise.withResolvers<string[]>();
  const asked: string[] = [];
  const walletOf = (id: string, accounts: string[] | Promise<string[]>): Wallet => ({
    id,
    name: id,
    provider: {
      async request({ method }) {
        asked.push(`${id} ${method}`);
        return method === "eth_chainId" ? "0x38" : await accounts;
      },
    },
  });
  const chosen = walletOf("chosen", ["0xAA"]);
  startWallets();
  wallets.value = [walletOf("slow", woken.promise), chosen];
  await vi.waitUntil(() => asked.includes("slow eth_accounts"));
  await connect(chosen);
  woken.resolve(["0xBB"]);
  await vi.waitUntil(() => asked.includes("slow eth_chainId"));
  await woken.promise;
  expect([connected.value?.id, account.value]).toEqual(["chosen", "0xaa"]);
});

test("a wallet that locks itself is connected again once it is unlocked", async () => {
  const { account, connect, connected } = await import("./connection.ts");
  const listeners: Record<string, (value: never) => void> = {};
  const provider: Provider = {
    request: async ({ method }) => (method === "eth_chainId" ? "0x38" : ["0xAA"]),
    on: (event, listener) => {
      listeners[event] = listener;
    },
  };
  const change = (accounts: string[]) => listeners.accountsChanged?.(accounts as never);
  await connect({ id: "lockable", name: "Lockable", provider });
  change([]);
  expect(account.value).toBeUndefined();
  change(["0xAA"]);
  expect([connected.value?.id, account.value]).toEqual(["lockable", "0xaa"]);
});
