import { type Address, encodeFunctionData, type Hex, parseAbi, recoverAddress } from "viem";
import type { ChainSettings } from "../../../config/env.ts";
import type { CallUntrusted } from "./chain-client.ts";

const abi = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
/** What a contract wallet returns for a valid signature (ERC-1271): a word that begins with these bytes. */
const validReply = /^0x1626ba7e[0-9a-f]{56}/i;

/**
 * Whether the account signed this hash of typed data, with its key or as a contract wallet (ERC-1271). Throws a problem (503) if a contract
 * has to be called and no endpoint answers.
 */
export async function isSignedBy(
  callUntrusted: CallUntrusted,
  chain: ChainSettings,
  { account, hash, signature }: { account: Address; hash: Hex; signature: Hex },
): Promise<boolean> {
  const signer = await recoverAddress({ hash, signature }).catch(() => undefined);
  if (signer?.toLowerCase() === account) return true;

  const data = encodeFunctionData({ abi, functionName: "isValidSignature", args: [hash, signature] });
  return validReply.test((await callUntrusted(chain, { to: account, data })) ?? "");
}

/**
 * The fields of every domain that is signed here. eth_signTypedData_v4 hashes the domain by this type: a wallet that gets none signs
 * another hash, or refuses.
 */
export const domainType = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];

type Field = { name: string; type: string };

type TypedData<Domain> = {
  domain: Domain;
  types: Readonly<Record<string, readonly Field[]>>;
  primaryType: string;
  message: Record<string, string | bigint>;
};

/** Returns typed data (EIP-712) as the JSON that eth_signTypedData_v4 takes: with the domain's type, and with numbers as texts. */
export function toWalletTypedData<Domain>({ domain, types, primaryType, message }: TypedData<Domain>) {
  const own = Object.entries(types).map(([name, fields]): [string, Field[]] => [name, [...fields]]);
  const values = Object.entries(message).map(([name, value]): [string, string] => [name, String(value)]);
  return {
    domain,
    types: Object.fromEntries([["EIP712Domain", domainType], ...own]),
    primaryType,
    message: Object.fromEntries(values),
  };
}
