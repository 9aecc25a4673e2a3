/** The fields of a token that the list shows. */
export const rowFields = [
  "mint",
  "name",
  "symbol",
  "description",
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
  "liquidityBnb",
  "liquidityUsd",
  "websiteUrl",
  "twitterUrl",
  "telegramUrl",
  "risk",
  "creatorRecord",
  "windows",
] as const;

/** The number of tokens per request. */
export const pageSize = 20;
