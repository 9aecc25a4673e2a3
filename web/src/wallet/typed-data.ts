import type { Provider } from "./providers.ts";

/** Typed data (EIP-712) as the API returns it. */
export type TypedData = {
  domain: object;
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

/** The fields of every domain that the page has signed. */
const domainType = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];

/** Asks the wallet for an account's signature. */
export async function signTypedData(provider: Provider, account: string, data: TypedData): Promise<string> {
  const typed = { ...data, types: { ...data.types, EIP712Domain: domainType } };
  const params = [account, JSON.stringify(typed)];
  return (await provider.request({ method: "eth_signTypedData_v4", params })) as string;
}
