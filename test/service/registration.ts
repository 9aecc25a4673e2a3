import type { Address, HDAccount } from "viem";
import type { RestClient } from "./rest-client.ts";
import { signAsWallet } from "./sign-as-wallet.ts";

/** A registration with only the required fields, for a token that `chain.create` made with its defaults. */
export function registrationOf(mint: Address, creator: Address, changes: object = {}) {
  return { mint, name: "Brave Otter", symbol: "OTTER", creator, burnPercent: 50, ...changes };
}

/** The content stored for an unsigned registration that has no optional field but the description. */
export const unsignedContent = (description: string | null) => ({
  description,
  imageUrl: null,
  twitterUrl: null,
  telegramUrl: null,
  websiteUrl: null,
  launchpadAddress: null,
  verified: false,
  registeredBy: null,
  signature: null,
  issuedAt: null,
});

/**
 * Signs a registration as the manifest tells an agent to, and returns it with signature and issuedAt.
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
  const signature = await signAsWallet(account, {
    domain: { ...domain, ...changes },
    types,
    primaryType,
    message: {
      ...body,
      ...Object.fromEntries(texts.map((name) => [name, (body as Record<string, unknown>)[name] ?? ""])),
      issuedAt,
      ...message,
    },
  });
  return { ...body, signature, issuedAt };
}
