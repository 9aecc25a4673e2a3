import { concat, type Hex, hashDomain, hashStruct, keccak256, type LocalAccount } from "viem";

type Fields = { name: string; type: string }[];

type TypedData = {
  domain: Record<string, unknown>;
  types: Record<string, Fields>;
  primaryType: string;
  message: Record<string, unknown>;
};

/**
 * Signs typed data as a wallet does that gets it as JSON (eth_signTypedData_v4): by the types in it alone. viem's signTypedData derives
 * the domain's type where it is missing.
 */
export async function signAsWallet(account: Pick<LocalAccount, "sign">, typedData: TypedData): Promise<Hex> {
  const { domain, types, primaryType, message }: TypedData = JSON.parse(JSON.stringify(typedData));
  if (types.EIP712Domain === undefined) throw new Error("the types have no EIP712Domain");
  const domainHash = hashDomain({
    domain,
    types: types as Record<string, Fields> & { EIP712Domain: Fields },
  });
  const messageHash = hashStruct({ data: message, primaryType, types });
  const hash = keccak256(concat(["0x1901", domainHash, messageHash]));
  if (account.sign === undefined) throw new Error("the account has no key");
  return await account.sign({ hash });
}
