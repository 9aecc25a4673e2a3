import { type Address, encodeFunctionData, type Hex, numberToHex } from "viem";
import { dexFactoryAbi } from "../../abis/DexFactory.ts";
import { dexPairAbi } from "../../abis/DexPair.ts";
import { wbnbAbi } from "../../abis/Wbnb.ts";
import { deployer, type Harness } from "./harness.ts";

export const tokenOrders = ["token0", "token1"] as const;
type TokenOrder = (typeof tokenOrders)[number];

type PairFunction = "sync" | "skim" | "mint" | "burn" | "swap";

/** The actions that anybody may take on a pair and with wrapped BNB. */
export function pairActions(chain: Harness, actor: Address) {
  return {
    async donate(to: Address, amount: bigint) {
      const deposit = encodeFunctionData({ abi: wbnbAbi, functionName: "deposit" });
      await chain.send(actor, chain.wbnb, deposit, amount);
      await chain.transfer(chain.wbnb, actor, to, amount);
    },

    callPair(pair: Address, functionName: PairFunction, args: unknown[] = []) {
      const data = encodeFunctionData({ abi: dexPairAbi, functionName, args: args as never });
      return chain.send(actor, pair, data);
    },

    async createPair(token: Address) {
      const args = [token, chain.wbnb] as const;
      const data = encodeFunctionData({ abi: dexFactoryAbi, functionName: "createPair", args });
      await chain.send(actor, chain.dexFactory, data);
      return chain.pairOf(token);
    },
  };
}

/** Makes the DEX keep a share of its pairs' fees. */
export function switchFeeOn(chain: Harness, receiver: Address) {
  const setFeeTo = { abi: dexFactoryAbi, functionName: "setFeeTo", args: [receiver] } as const;
  return chain.send(deployer, chain.dexFactory, encodeFunctionData(setFeeTo));
}

/** Finds a salt whose token comes before WBNB in the pair, or after it. */
export async function saltFor(
  chain: Harness,
  order: TokenOrder,
  { from = 1, name = "Token", symbol = "TKN" } = {},
): Promise<Hex> {
  for (let number = from; ; number += 1) {
    const salt = numberToHex(number, { size: 32 });
    const address = await chain.predictTokenAddress(salt, { name, symbol });
    if (address.toLowerCase() < chain.wbnb.toLowerCase() === (order === "token0")) return salt;
  }
}
