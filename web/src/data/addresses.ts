/** The API reads as many tokens with one request. */
export const maxStarred = 100;

/** The addresses in a stored list, as many as a watchlist may have. */
export function validAddresses(list: unknown): string[] {
  return (Array.isArray(list) ? list : [])
    .filter((address) => typeof address === "string" && /^0x[0-9a-f]{40}$/.test(address))
    .slice(0, maxStarred);
}
