/** The list that the home page shows first. web/src/home/list-query.ts has the same; a test compares them. */
const firstPage =
  "/api/tokens?board=all&sort=trending&fields=mint,name,symbol,imageUrl,creator,createdAt,verified,progress,graduated,priceBnb,priceUsd,marketCapBnb,marketCapUsd,holderCount,windows&limit=30&page=1";

/** What the home page's head has: the first list, which browsers then read together with the page's code. */
export function homeHead(query: Record<string, string>): string {
  // Another list than the usual one is asked for once the code runs.
  if (Object.keys(query).length > 0) return "";
  return `<link rel="preload" as="fetch" crossorigin="anonymous" href="${firstPage.replaceAll("&", "&amp;")}" />`;
}
