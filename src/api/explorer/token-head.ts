import { displayNames, plainLine } from "../market/display-name.ts";
import { cardTags, escapeHtml } from "./card-tags.ts";

/** The metadata that the preview of a token's link shows. */
export type SharedToken = { mint: string; name: string; symbol: string; description: string };

/** The page's origin, and the chain named in its URL. */
type PageLocation = { baseUrl: string; chain?: string | undefined };

const maxDescriptionLength = 200;

/** Returns a token page's title and the meta tags of its card. Creators' text is escaped. */
export function tokenHead(
  token: SharedToken,
  { baseUrl, chain }: PageLocation,
): { title: string; head: string } {
  const { name, symbol } = displayNames({ ...token, address: token.mint });
  const description = [...plainLine(token.description)].slice(0, maxDescriptionLength).join("");
  const page = `${baseUrl}/token/${token.mint}`;
  const query = chain === undefined ? "" : `?chain=${chain}`;
  const head = cardTags({
    title: `${name} (${symbol})`,
    description:
      description === "" ? "A token on the launchpad: price, trades, holders and risk." : description,
    url: page + query,
    image: `${page}/card.png${query}`,
    imageAlt: `${name} (${symbol}): price, market cap and progress`,
  });
  return { title: escapeHtml(`${name} (${symbol}) · Launchpad`), head };
}
