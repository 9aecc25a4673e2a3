import { createPublicClient, custom, decodeFunctionData, encodeFunctionResult, type Hex } from "viem";
import { expect, test } from "vitest";
import { launchpadAbi } from "../../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../../abis/TokenFactory.ts";
import type { ChainSettings } from "../../../../config/env.ts";
import { readTokenOnChain } from "./token-on-chain.ts";

const abi = [...tokenFactoryAbi, ...launchTokenAbi, ...launchpadAbi] as const;
const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const chain = { id: 56, tokenFactory: address("1"), launchpad: address("2") } as ChainSettings;

/** A chain with one token. */
function clientOf(token: { name: string; burnPercent: number }) {
  const results: Record<string, unknown> = {
    tokens: [address("a"), token.burnPercent],
    name: token.name,
    symbol: "OTTER",
    totalSupply: 10n ** 27n,
    curves: [1n, 2n, 3n, 4n, 5n, token.burnPercent, false],
  };
  const request = async ({ params }: { params: [{ data: Hex }] }) => {
    const { functionName } = decodeFunctionData({ abi, data: params[0].data });
    return encodeFunctionResult({ abi, functionName, result: results[functionName] } as never);
  };
  return createPublicClient({ transport: custom({ request: request as never }) });
}

test("a token is read from the chain", async () => {
  const token = await readTokenOnChain(clientOf({ name: "Otter", burnPercent: 50 }), chain, address("b"));
  expect(token).toMatchObject({ name: "Otter", symbol: "OTTER", creator: address("a"), burnPercent: 50 });
});

test.each([
  { name: "O".repeat(257), burnPercent: 50, exceeds: "name" },
  { name: "Otter", burnPercent: 101, exceeds: "burnPercent" },
])(
  "what can never be registered is refused for good, not with 503: $exceeds",
  async ({ exceeds, ...token }) => {
    await expect(readTokenOnChain(clientOf(token), chain, address("b"))).rejects.toMatchObject({
      problem: { status: 422, code: "contradicts_chain", detail: expect.stringContaining(exceeds) },
    });
  },
);
