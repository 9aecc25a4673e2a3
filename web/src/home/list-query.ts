/** What of a token the list shows. */
export const rowFields = [
  "mint",
  "name",
  "symbol",
  "imageUrl",
  "creator",
  "createdAt",
  "verified",
  "progress",
  "graduated",
  "priceBnb",
  "priceUsd",
  "marketCapBnb",
  "marketCapUsd",
  "holderCount",
  "windows",
] as const;

/** Tokens that are read at a time. */
export const pageSize = 30;
