import { readFileSync } from "node:fs";
import { encodePacked, getCreate2Address, type Hex, keccak256 } from "viem";
import { expect, test } from "vitest";
import { pancakeSwap } from "./pancakeswap.ts";

/* PancakeSwap's own SDK as the source of its addresses. It is read as text, since its dependencies are not installed. */

const sdk = (file: string) =>
  readFileSync(new URL(`../node_modules/@pancakeswap/${file}`, import.meta.url), "utf8");

/** The values of a constant of the SDK, by chain. */
function byChain(name: string): Record<string, string> {
  const [, body = ""] = new RegExp(`${name}: \\{([^}]*)\\}`).exec(sdk("v2-sdk/dist/constants.d.ts")) ?? [];
  return Object.fromEntries(
    [...body.matchAll(/readonly (\d+): "(0x[0-9a-fA-F]+)"/g)].map(([, id, value]) => [id, value]),
  );
}

test("factory and wrapped BNB are those of PancakeSwap's SDK", () => {
  const factories = byChain("FACTORY_ADDRESS_MAP");
  const tokens = sdk("swap-sdk-evm/dist/index.mjs");
  for (const [id, { dexFactory, wbnb }] of Object.entries(pancakeSwap)) {
    expect(dexFactory).toBe(factories[id]);
    expect(tokens).toContain(wbnb);
  }
});

test("with the SDK's hash of the pair's creation code, the factory's pair of CAKE and WBNB is where it is on BNB Smart Chain", () => {
  const { dexFactory: from, wbnb } = pancakeSwap[56];
  const cake = "0x0E09FaBB73Bd3Ade0a17ECC321fD13a19e81cE82";
  const salt = keccak256(encodePacked(["address", "address"], [cake, wbnb]));
  const bytecodeHash = byChain("INIT_CODE_HASH_MAP")[56] as Hex;
  expect(getCreate2Address({ from, salt, bytecodeHash })).toBe("0x0eD7e52944161450477ee417DE9Cd3a859b14fD0");
});
