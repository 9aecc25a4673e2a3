import { signal } from "@preact/signals";
import { chainId } from "./chain.ts";
import { api, dataOf } from "./client.ts";

/** Milliseconds in which rows gather what they want, to ask once for all of it. */
const pause = 50;
/** What one request may ask for. */
const most = 100;
/** Beyond this, what is known is forgotten. */
const mostKept = 1_000;

const keyOf = (mint: string) => `${mint} ${chainId.peek() ?? ""}`;

/** The images that tokens were registered with; null where there is none, or none is shown. */
const known = signal<ReadonlyMap<string, string | null>>(new Map());
const wanted = new Set<string>();
let isAsked = false;

/** The image of a token, for rows that come without it. Null until it is read. */
export function imageOf(mint: string): string | null {
  const image = known.value.get(keyOf(mint));
  if (image === undefined) {
    wanted.add(mint);
    if (!isAsked) setTimeout(() => void readWanted(), pause);
    isAsked = true;
  }
  return image ?? null;
}

/** Takes in the image that a token was just registered with. */
export const noteImage = (mint: string, imageUrl: string | null) => keep([[mint, imageUrl]]);

function keep(images: [mint: string, imageUrl: string | null][]): void {
  const before = known.peek().size > mostKept ? [] : known.peek();
  known.value = new Map([...before, ...images.map(([mint, image]) => [keyOf(mint), image] as const)]);
}

async function readWanted(): Promise<void> {
  const mints = [...wanted].slice(0, most);
  const query = { mint: mints.join(","), fields: "mint,imageUrl", chainId: chainId.peek() };
  // Letters stand in for an image that can't be read now.
  const answer = await dataOf(api.GET("/api/tokens", { params: { query } })).catch(() => undefined);
  const tokens = (answer?.tokens ?? []) as { mint: string; imageUrl?: string | null }[];
  const found = new Map(tokens.map(({ mint, imageUrl }) => [mint, imageUrl ?? null]));
  for (const mint of mints) wanted.delete(mint);
  isAsked = wanted.size > 0;
  if (isAsked) setTimeout(() => void readWanted(), pause);
  keep(mints.map((mint) => [mint, found.get(mint) ?? null]));
}
