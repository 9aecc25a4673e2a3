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

/**
 * The server preloads the home page's list with a link in the page's head, so that browsers fetch it along with the code. Returns that
 * list if it matches the query.
 */
export async function takeFirstPage<Page>(query: Record<string, unknown>): Promise<Page | undefined> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="preload"][as="fetch"]');
  if (link === null) return undefined;
  link.remove();
  const asked = new URL(link.href).searchParams;
  const wanted = Object.entries(query).filter(([, value]) => value !== undefined);
  const isSame =
    wanted.length === asked.size && wanted.every(([name, value]) => asked.get(name) === String(value));
  if (!isSame) return undefined;
  const response = await fetch(link.href).catch(() => undefined);
  return response?.ok === true ? ((await response.json()) as Page) : undefined;
}
