import { type Address, type Hex, zeroAddress, zeroHash } from "viem";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { isRevert } from "../../../chain-access/failures.ts";
import type { ChainSettings } from "../../../config/env.ts";
import type { ChainClients } from "../chain/chain-client.ts";
import { oncePerChain } from "../chain/chains.ts";
import type { QuoteWarning } from "./quote.schema.ts";

type SaltCheck = {
  salt: Hex;
  account: Address;
  /** Of the token, as far as they are known. */
  name: string | undefined;
  symbol: string | undefined;
};

type CheckSalt = (chain: ChainSettings, check: SaltCheck) => Promise<QuoteWarning[]>;

/**
 * Creates a check of whether the factory accepts a salt from an account: not if it begins with the address of another one, or if
 * the token that it gives exists.
 */
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

  async function isUsed(chain: ChainSettings, args: readonly [string, string, Hex]): Promise<boolean> {
    const client = getClient(chain);
    const factory = { address: chain.tokenFactory, abi: tokenFactoryAbi } as const;
    const address = await client.readContract({ ...factory, functionName: "predictTokenAddress", args });
    return (await client.getCode({ address })) !== undefined;
  }

  return async (chain, { salt, account, name, symbol }) => {
    const owner = salt.slice(0, 42);
    if (owner !== zeroAddress && owner !== account && (await bindsSalts(chain)))
      return [ofAnother(owner, account)];
    if (salt === zeroHash || name === undefined || symbol === undefined) return [];
    const found = await isUsed(chain, [name, symbol, salt]).catch(notKnown);
    return found ? [alreadyUsed] : [];
  };
}

const ofAnother = (owner: string, account: Address): QuoteWarning => ({
  code: "salt_of_another_account",
  message: `The salt begins with ${owner}: the factory accepts it from that account alone. Ask /api/tokens/vanity-salt for one with creator=${account}.`,
});

const alreadyUsed: QuoteWarning = {
  code: "salt_already_used",
  message: "A token with this name, symbol and salt exists: ask /api/tokens/vanity-salt for another salt.",
};

/** The check of the account warns that the endpoint doesn't answer. */
const notKnown = () => false;
