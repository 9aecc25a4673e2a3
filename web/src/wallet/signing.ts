import { clockSkew } from "../data/clock.ts";
import type { Provider } from "./providers.ts";

/** Typed data (EIP-712) as the API returns it. */
type TypedData = {
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

/**
 * The time of a signature, in seconds since 1970: the device's or, if that is wrong, the service's. It refuses a time in the future,
 * and one that is before the last signature.
 *
 * @param headers of an answer of the service that has just arrived
 */
export function signingTime(headers: Headers, now: number): number {
  return Math.floor((now + clockSkew(headers, now)) / 1_000);
}
