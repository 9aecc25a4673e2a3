import {
  type Address,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  type PublicClient,
  parseAbi,
  recoverAddress,
  size,
  slice,
} from "viem";
import type { ChainSettings } from "../../../../config/env.ts";
import { chainUnavailable, isRevert } from "../../lib/chain-client.ts";
import { registrationTypedData, type SignedFields } from "./typed-data.ts";

const abi = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
/** What a contract wallet answers for a signature of its own (ERC-1271). */
const valid = "0x1626ba7e";

/**
 * Whether the account signed these fields: with its key, or as a contract that says so (ERC-1271). Throws a problem (503)
 * when a contract has to be asked and the endpoints don't answer.
 */
export async function isSignedBy(
  client: PublicClient,
  chain: ChainSettings,
  { account, fields, signature }: { account: Address; fields: SignedFields; signature: Hex },
): Promise<boolean> {
  const hash = hashTypedData(registrationTypedData(chain, fields));
  const signer = await recoverAddress({ hash, signature }).catch(() => undefined);
  if (signer?.toLowerCase() === account) return true;

  const data = encodeFunctionData({ abi, functionName: "isValidSignature", args: [hash, signature] });
  try {
    const { data: answer = "0x" } = await client.call({ to: account, data });
    return size(answer) >= 32 && slice(answer, 0, 4) === valid;
  } catch (error) {
    if (isRevert(error)) return false;
    throw chainUnavailable(chain.id, error);
  }
}
