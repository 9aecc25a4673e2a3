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

/** How far a device's clock may be from the service's before it is taken to be wrong. */
const maxSkewMs = 60_000;

/**
 * The time of a signature, in seconds since 1970: the device's or, if that is wrong, the service's. It refuses a time in the future,
 * and one that is before the last signature.
 *
 * @param headers of an answer of the service that has just arrived
 */
export function signingTime(headers: Headers, now: number): number {
  const served = Date.parse(headers.get("date") ?? "") + 1_000 * Number(headers.get("age") ?? 0);
  // False without a date.
  const isWrong = Math.abs(now - served) > maxSkewMs;
  return Math.floor((isWrong ? served : now) / 1_000);
}
