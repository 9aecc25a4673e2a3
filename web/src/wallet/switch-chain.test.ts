import { expect, test, vi } from "vitest";
import { readTexts } from "../language/messages.ts";

/** How wallets say that they don't know a chain: as EIP-3326 has it, and wrapped, as MetaMask does on phones. */
test.each([
  { code: 4902 },
  { code: -32_603, message: "Internal JSON-RPC error.", data: { originalError: { code: 4902 } } },
])("a chain that the wallet doesn't know is added: %j", async (unknown) => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", { querySelector: () => null });
  await readTexts(["core"]);
  const { connected, walletChain } = await import("./connection.ts");
  const { switchChain } = await import("./switch-chain.tsx");
  const asked: string[] = [];
  const request = async ({ method }: { method: string }) => {
    asked.push(method);
    if (method === "wallet_switchEthereumChain") throw unknown;
    return method === "eth_chainId" ? "0x61" : null;
  };
  connected.value = { id: "test", name: "Test", provider: { request } };
  await switchChain(97);
  expect(asked).toEqual(["wallet_switchEthereumChain", "wallet_addEthereumChain", "eth_chainId"]);
  expect(walletChain.value).toBe(97);
});

test("a switch that its owner rejects is not followed by another question", async () => {
  const { connected } = await import("./connection.ts");
  const { switchChain } = await import("./switch-chain.tsx");
  let questions = 0;
  const request = async () => {
    questions++;
    throw { code: 4001 };
  };
  connected.value = { id: "test", name: "Test", provider: { request } };
  await expect(switchChain(97)).rejects.toEqual({ code: 4001 });
  expect(questions).toBe(1);
});
