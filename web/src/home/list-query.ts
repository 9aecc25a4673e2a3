/** The fields of a token that the list shows. */
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

/** The number of tokens per request. */
export const pageSize = 30;
