import type { Address, TypedDataDomain } from "viem";

/** The types that a creator signs (EIP-712). Missing text is signed as an empty string. */
export const registrationTypes = {
  Registration: [
    { name: "mint", type: "address" },
    { name: "name", type: "string" },
    { name: "symbol", type: "string" },
    { name: "description", type: "string" },
    { name: "imageUrl", type: "string" },
    { name: "twitterUrl", type: "string" },
    { name: "telegramUrl", type: "string" },
    { name: "websiteUrl", type: "string" },
    { name: "issuedAt", type: "uint256" },
  ],
} as const;

/** Binds a signature to one launchpad on one chain. */
export function registrationDomain(chain: { id: number; tokenFactory: Address }) {
  return {
    name: "Launchpad Registration",
    version: "1",
    chainId: chain.id,
    verifyingContract: chain.tokenFactory,
  } as const satisfies TypedDataDomain;
}

export type SignedFields = {
  mint: Address;
  name: string;
  symbol: string;
  description?: string;
  imageUrl?: string;
  twitterUrl?: string;
  telegramUrl?: string;
  websiteUrl?: string;
  /** Seconds since 1970. */
  issuedAt: number;
};

export function registrationTypedData(chain: { id: number; tokenFactory: Address }, fields: SignedFields) {
  return {
    domain: registrationDomain(chain),
    types: registrationTypes,
    primaryType: "Registration",
    message: {
      mint: fields.mint,
      name: fields.name,
      symbol: fields.symbol,
      description: fields.description ?? "",
      imageUrl: fields.imageUrl ?? "",
      twitterUrl: fields.twitterUrl ?? "",
      telegramUrl: fields.telegramUrl ?? "",
      websiteUrl: fields.websiteUrl ?? "",
      issuedAt: BigInt(fields.issuedAt),
    },
  } as const;
}
