import { type Address, type Hex, parseSignature } from "viem";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { accounts } from "../../test/chain/anvil.ts";
import { forever, type Harness } from "./harness.ts";

type Permit = { owner: Address; spender: Address; value: bigint; nonce: bigint; deadline: bigint };

const types = {
  Permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

/** Signs a permit for the launchpad to take tokens of an account, which signs it itself unless `signer` does. */
export async function signPermit(
  chain: Harness,
  token: Address,
  permit: Partial<Permit> & { owner: Address; value: bigint; signer?: Address },
) {
  const { signer = permit.owner, ...fields } = permit;
  const read = { address: token, abi: launchTokenAbi, functionName: "nonces", args: [fields.owner] } as const;
  const nonce = fields.nonce ?? (await chain.publicClient.readContract(read));
  const message = { spender: chain.launchpad, deadline: forever, ...fields, nonce };
  const account = accounts.find(({ address }) => address === signer);
  const signature = await account?.signTypedData({
    domain: {
      name: "Launchpad Token",
      version: "1",
      chainId: await chain.publicClient.getChainId(),
      verifyingContract: token,
    },
    types,
    primaryType: "Permit",
    message,
  });
  const { r, s, yParity } = parseSignature(signature as Hex);
  return { ...message, v: 27 + yParity, r, s };
}
