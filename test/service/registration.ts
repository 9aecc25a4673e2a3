import type { Address, HDAccount } from "viem";
import type { RestClient } from "./rest-client.ts";

/** A registration with nothing but what has to be there, for a token made by `chain.create` with its defaults. */
export function registrationOf(mint: Address, creator: Address, changes: object = {}) {
  return { mint, name: "Brave Otter", symbol: "OTTER", creator, burnPercent: 50, ...changes };
}

/** What the store writes of a registration that nobody signed, with a description and nothing else. */
export const unsignedContent = (description: string | null) => ({
  description,
  ...{ imageUrl: null, twitterUrl: null, telegramUrl: null, websiteUrl: null, launchpadAddress: null },
  ...{ verified: false, registeredBy: null, signature: null, issuedAt: null },
});

/**
 * Signs a registration the way the manifest tells an agent to, and adds signature and issuedAt to it.
 *
 * @param issuedAt seconds since 1970
 */
export async function signed<Body extends { mint: Address; name: string; symbol: string }>(
  rest: RestClient,
  account: HDAccount,
  body: Body,
  issuedAt: number,
  { domain: changes = {}, message = {} }: { domain?: object; message?: object } = {},
) {
  const { body: manifest } = await rest.get("/api");
  const { domain, types, primaryType } = manifest.registrationSignature;
  const texts = ["description", "imageUrl", "twitterUrl", "telegramUrl", "websiteUrl"];
  const signature = await account.signTypedData({
    domain: { ...domain, ...changes },
    types,
    primaryType,
    message: {
      ...body,
      ...Object.fromEntries(texts.map((name) => [name, (body as Record<string, unknown>)[name] ?? ""])),
      issuedAt: BigInt(issuedAt),
      ...message,
    },
  });
  return { ...body, signature, issuedAt };
}
