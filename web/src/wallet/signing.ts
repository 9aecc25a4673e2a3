import { clockSkew } from "../data/clock.ts";
import { askOwner } from "./ask-owner.ts";
import type { Provider } from "./providers.ts";
import type { StatusSignal } from "./run-steps.ts";

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

/** Asks the wallet for an account's signature, which the status says. */
export async function signTypedData(
  status: StatusSignal,
  provider: Provider,
  account: string,
  data: TypedData,
): Promise<string> {
  const typed = { ...data, types: { ...data.types, EIP712Domain: domainType } };
  const params = [account, JSON.stringify(typed)];
  const ask = () => provider.request({ method: "eth_signTypedData_v4", params });
  return (await askOwner(status, ask)) as string;
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
