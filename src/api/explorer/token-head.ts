import { displayNames } from "../market/display-name.ts";
import { cardTags, escapeHtml } from "./card-tags.ts";

/** What of a token's metadata a shared link shows. */
export type SharedToken = { mint: string; name: string; symbol: string; description: string };

/** Where the page is, and the chain that its address names. */
type Place = { baseUrl: string; chain?: string | undefined };

const longestDescription = 200;

/** The title and the card of a token's page, as those who unfurl links read it. Creators' text is escaped. */
export function tokenHead(token: SharedToken, { baseUrl, chain }: Place): { title: string; head: string } {
  const { name, symbol } = displayNames({ ...token, address: token.mint });
  const about = [...token.description.replace(/\s+/g, " ").trim()].slice(0, longestDescription).join("");
  const page = `${baseUrl}/token/${token.mint}`;
  const query = chain === undefined ? "" : `?chain=${chain}`;
  const head = cardTags({
    title: `${name} (${symbol})`,
    description: about === "" ? "A token on the launchpad: price, trades, holders and risk." : about,
    url: page + query,
    image: `${page}/card.png${query}`,
    imageAlt: `${name} (${symbol}): price, market cap and progress`,
  });
  return { title: escapeHtml(`${name} (${symbol}) · Launchpad`), head };
}
