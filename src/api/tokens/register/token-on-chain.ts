import { type Address, type PublicClient, zeroAddress } from "viem";
import { z } from "zod";
import { launchpadAbi } from "../../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../../abis/TokenFactory.ts";
import type { ChainSettings } from "../../../../config/env.ts";
import { looksLike } from "../../../domain/look-alike.ts";
import { chainUnavailable } from "../../chain/chain-client.ts";
import { toLowerHex } from "../../http/parameters.schema.ts";
import { type ProblemError, ProblemException } from "../../http/problem.ts";
import type { NewToken } from "../entry/new-entry.mapper.ts";

/** A token, read from the chain because it is not indexed yet. */
export type TokenOnChain = NewToken & {
  name: string;
  symbol: string;
  creator: Address;
  burnPercent: number;
};

/** The bounds of what can be registered: an endpoint might send anything. */
const facts = z.object({
  name: z.string().max(256),
  symbol: z.string().max(64),
  burnPercent: z.number().int().min(0).max(100),
});

/**
 * Reads a token of the factory from the chain's latest block. Returns undefined for one that is not the factory's. Throws a
 * problem: 503 if no endpoint answers, 422 for one that can't be registered.
 */
export async function readTokenOnChain(
  client: PublicClient,
  chain: ChainSettings,
  mint: Address,
): Promise<TokenOnChain | undefined> {
  try {
    const [creator, burnPercent] = await client.readContract({
      address: chain.tokenFactory,
      abi: tokenFactoryAbi,
      functionName: "tokens",
      args: [mint],
    });
    if (creator === zeroAddress) return undefined;

    const token = { address: mint, abi: launchTokenAbi } as const;
    const [name, symbol, totalSupply, curve] = await Promise.all([
      client.readContract({ ...token, functionName: "name" }),
      client.readContract({ ...token, functionName: "symbol" }),
      client.readContract({ ...token, functionName: "totalSupply" }),
      client.readContract({
        address: chain.launchpad,
        abi: launchpadAbi,
        functionName: "curves",
        args: [mint],
      }),
    ]);
    const parsed = facts.safeParse({ name: stripNul(name), symbol: stripNul(symbol), burnPercent });
    if (!parsed.success) throw unregistrable(parsed.error);
    const [virtualBnbReserves, virtualTokenReserves, , tokensSold, totalToSell, , graduated] = curve;
    return {
      ...parsed.data,
      creator: toLowerHex(creator),
      launchpad: chain.launchpad,
      totalSupply,
      curve: { virtualBnbReserves, virtualTokenReserves, tokensSold, totalToSell, graduated },
    };
  } catch (error) {
    throw error instanceof ProblemException ? error : chainUnavailable(chain.id, error);
  }
}

/** For a token of which the chain says more than a registration can: no retry changes that. */
function unregistrable(cause: z.ZodError): ProblemException {
  const paths = cause.issues.map(({ path }) => path.join("."));
  const detail = `The chain's ${paths.join(" and ")} of this token exceeds what can be registered, so that no registration can match it.`;
  return new ProblemException(
    { status: 422, code: "contradicts_chain", title: "Contradicts the chain", detail },
    { cause },
  );
}

/** Removes NUL, which Postgres can't store, so that text compares equal to the index's. */
function stripNul(text: string): string {
  return text.replaceAll("\0", "");
}

/** A token as the request describes it. */
type ClaimedToken = {
  name: string;
  symbol: string;
  creator: string;
  burnPercent: number;
  launchpadAddress?: string;
};

/** The token as the index or the chain has it. */
export type ActualToken = {
  name: string;
  symbol: string;
  creator: string;
  burnPercent: number;
  launchpad: string;
};

/** Finds the fields in which a registration contradicts the chain, with both values. */
export function findContradictions(claimed: ClaimedToken, actual: ActualToken): ProblemError[] {
  const pairs: [string, string | number | undefined, string | number][] = [
    ["name", stripNul(claimed.name), actual.name],
    ["symbol", stripNul(claimed.symbol), actual.symbol],
    ["creator", claimed.creator, actual.creator],
    ["burnPercent", claimed.burnPercent, actual.burnPercent],
    ["launchpadAddress", claimed.launchpadAddress, actual.launchpad],
  ];
  return pairs
    .filter(([, claim, fact]) => claim !== undefined && claim !== fact)
    .map(
      ([path, claim, fact]): ProblemError => ({
        path,
        message: `is ${show(claim, fact)} in the request and ${show(fact, claim)} on the chain`,
      }),
    );
}

/** What shows nothing, or a blank that isn't a space. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}/gu;

/** The code units of a text as JSON escapes them. */
const escapeUnits = (text: string) =>
  text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** A value as JSON. What can't be seen is escaped, and whatever is not ASCII if it would look like the other value. */
function show(value: string | number | undefined, other: string | number | undefined): string {
  const isAlike = looksLike(String(value), String(other));
  return JSON.stringify(value).replace(isAlike ? /[^ -~]/gu : invisible, escapeUnits);
}

/** Throws a problem (422) that names each contradiction. */
export function refuseContradictions(claimed: ClaimedToken, actual: ActualToken): void {
  const errors = findContradictions(claimed, actual);
  if (errors.length === 0) return;
  throw new ProblemException({
    status: 422,
    code: "contradicts_chain",
    title: "Contradicts the chain",
    detail: errors.map(({ path, message }) => `${path} ${message}`).join("; "),
    errors,
  });
}
