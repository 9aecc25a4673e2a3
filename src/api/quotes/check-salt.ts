import { type Address, type Hex, zeroAddress } from "viem";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { isRevert } from "../../../chain-access/failures.ts";
import type { ChainSettings } from "../../../config/env.ts";
import type { ChainClients } from "../chain/chain-client.ts";
import { oncePerChain } from "../chain/chains.ts";
import type { QuoteWarning } from "./quote.schema.ts";

type CheckSalt = (chain: ChainSettings, salt: Hex, account: Address) => Promise<QuoteWarning[]>;

/** Creates a check of whether the factory accepts a salt from an account: not if it begins with the address of another one. */
export function createSaltCheck(getClient: ChainClients): CheckSalt {
  /** A factory from before bound salts lacks this function. One that doesn't answer is taken for one of today. */
  const bindsSalts = oncePerChain(
    (chain) =>
      getClient(chain)
        .readContract({
          address: chain.tokenFactory,
          abi: tokenFactoryAbi,
          functionName: "predictNextTokenAddress",
          args: [zeroAddress, "A", "A"],
        })
        .then(
          () => true,
          (error) => !isRevert(error),
        ),
    () => false,
  );

  return async (chain, salt, account) => {
    const owner = salt.slice(0, 42);
    if (owner === zeroAddress || owner === account || !(await bindsSalts(chain))) return [];
    return [
      {
        code: "salt_of_another_account",
        message: `The salt begins with ${owner}: the factory accepts it from that account alone. Ask /api/tokens/vanity-salt for one with creator=${account}.`,
      },
    ];
  };
}
