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
