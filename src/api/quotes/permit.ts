import { type Address, domainSeparator, type Hex, parseSignature, recoverTypedDataAddress } from "viem";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { bestEffortLimits, createChainClients } from "../chain/chain-client.ts";
import { domainType } from "../chain/signatures.ts";
import { toLowerHex } from "../http/parameters.schema.ts";
import type { QuoteAnswer } from "./quote.schema.ts";

export type Permit = NonNullable<QuoteAnswer["permit"]>;

type PermitRequest = {
  mint: Address;
  /** Who signs, and sells. */
  account: Address;
  amountIn: bigint;
  /** Seconds since 1970. */
  deadline: bigint;
};

/** Resolves to null if the chain doesn't answer, or its contracts have no permits, or not ours. */
type ReadPermit = (chain: ChainSettings, request: PermitRequest) => Promise<Permit | null>;

const type = [
  { name: "owner", type: "address" },
  { name: "spender", type: "address" },
  { name: "value", type: "uint256" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint256" },
];

/** Creates a reader of the permit (ERC-2612) with whose signature an account sells on the curve without an approval. */
export function createPermitReader(): ReadPermit {
  const getClient = createChainClients(bestEffortLimits);

  return async (chain, { mint, account, amountIn, deadline }) => {
    const token = { address: mint, abi: launchTokenAbi } as const;
    const client = getClient(chain);
    const [nonce, separator] = await Promise.allSettled([
      client.readContract({ ...token, functionName: "nonces", args: [account] }),
      client.readContract({ ...token, functionName: "DOMAIN_SEPARATOR" }),
    ]);
    if (nonce.status === "rejected" || separator.status === "rejected") return null;
    const domain = { name: "Launchpad Token", version: "1", chainId: chain.id, verifyingContract: mint };
    // Another contract's permit is no reason to believe that its launchpad has sellWithPermit.
    if (separator.value !== domainSeparator({ domain })) return null;
    return {
      domain,
      types: { EIP712Domain: domainType, Permit: type },
      primaryType: "Permit",
      message: {
        owner: account,
        spender: chain.launchpad.toLowerCase(),
        value: String(amountIn),
        nonce: String(nonce.value),
        deadline: String(deadline),
      },
    };
  };
}

/** Half of the order of secp256k1: tokens refuse a signature with a larger s, of which everybody can make one from another. */
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Whether a signature is the owner's of this permit, as the token checks it. */
export async function isSignedBy({ domain, types, message }: Permit, signature: Hex): Promise<boolean> {
  const { owner, spender, value, nonce, deadline } = message;
  if (BigInt(parseSignature(signature).s) > maxS) return false;
  const signer = await recoverTypedDataAddress({
    domain: { ...domain, verifyingContract: toLowerHex(domain.verifyingContract) },
    types: { Permit: types.Permit },
    primaryType: "Permit",
    message: { owner, spender, value: BigInt(value), nonce: BigInt(nonce), deadline: BigInt(deadline) },
    signature,
    // Half of all numbers in range are the x of no point.
  }).catch(() => undefined);
  return signer?.toLowerCase() === owner.toLowerCase();
}
