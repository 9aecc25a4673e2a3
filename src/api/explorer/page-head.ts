import { displayNames, plainLine } from "../market/display-name.ts";
import { cardSize, escapeMarkup } from "./card/svg.ts";
import { type CardLanguage, cardWords } from "./card/words.ts";

/** The first list of the home page and of the board, as web/src/home/token-list.ts and web/src/board/row.ts ask for it; tests compare them. */
export const homeList =
  "/api/tokens?board=all&sort=trending&fields=mint,name,symbol,description,imageUrl,creator,createdAt,verified,progress,graduated,priceBnb,priceUsd,marketCapBnb,marketCapUsd,holderCount,liquidityBnb,liquidityUsd,websiteUrl,twitterUrl,telegramUrl,risk,creatorRecord,windows&limit=20&page=1";
const boardList =
  "/api/tokens?board=new&sort=newest&fields=mint,chainId,name,symbol,imageUrl,creator,createdAt,verified,progress,graduated,graduatedAt,priceBnb,priceUsd,marketCapBnb,marketCapUsd,holderCount,liquidityBnb,liquidityUsd,launchpadAddress,pair,websiteUrl,twitterUrl,telegramUrl,risk,creatorRecord,windows&limit=30";

/**
 * Links that have a browser request these paths of the API along with the page's code. web/src/data/client.ts takes the answers if it
 * asks for exactly these URLs.
 */
const preload = (...paths: string[]) =>
  paths
    .map((path) => escapeMarkup(path.replaceAll(",", "%2C")))
    .map((href) => `<link rel="preload" as="fetch" crossorigin="anonymous" href="${href}" />`)
    .join("");

/** Whether an address asks for the first list. Any other one is only requested once the code runs. */
export const isUsualList = (query: Record<string, string>): boolean =>
  Object.keys(query).every((key) => key === "lang");

/** The board's addition to the head. */
export const boardHead = (query: Record<string, string>): string =>
  isUsualList(query) ? preload(boardList) : "";

/** Leads programs that know only the base URL to the introduction for language models. */
const introduction =
  '<link rel="alternate" type="text/plain" title="For language models" href="/llms.txt" />';

/**
 * The home page's additions to the head: its card, a link to the introduction, and a preload of the first list, in parallel with
 * the page's code.
 */
export function homeHead(query: Record<string, string>, { baseUrl, name, language }: PageLocation): string {
  const words = cardWords[language];
  const shown = previewQuery(undefined, language);
  const head = cardTags({
    site: name,
    title: name,
    description: words.description,
    url: `${baseUrl}/${shown}`,
    image: `${baseUrl}/card.png${shown}`,
    imageAlt: words.alt,
  }).concat(introduction);
  return isUsualList(query) ? head + preload(homeList) : head;
}

/** The metadata that the preview of a token's link shows. */
export type SharedToken = { mint: string; name: string; symbol: string; description: string };

/** The page's origin, the explorer's name, the chain named in its URL, and the language of the preview. */
type PageLocation = {
  baseUrl: string;
  name: string;
  chain?: string | undefined;
  language: CardLanguage;
};

/** What the URLs of a preview name: the chain, and any language but English. Whoever reads them again gets the same. */
function previewQuery(chain: string | undefined, language: CardLanguage): string {
  const query = new URLSearchParams({
    ...(chain === undefined ? {} : { chain }),
    ...(language === "en" ? {} : { lang: language }),
  });
  return query.size === 0 ? "" : `?${query}`;
}

const maxDescriptionLength = 200;

/** Returns a token page's title and the meta tags of its card. Creators' text is escaped. */
export function tokenHead(
  token: SharedToken,
  { baseUrl, name: site, chain, language }: PageLocation,
): { title: string; head: string } {
  const { name, symbol } = displayNames({ ...token, address: token.mint });
  const description = [...plainLine(token.description)].slice(0, maxDescriptionLength).join("");
  const page = `${baseUrl}/token/${token.mint}`;
  const query = previewQuery(chain, language);
  const words = cardWords[language];
  const shownTitle = `${name} (${symbol})`;
  const head = cardTags({
    site,
    title: shownTitle,
    description: description === "" ? words.tokenDescription : description,
    url: page + query,
    image: `${page}/card.png${query}`,
    imageAlt: words.tokenAlt(shownTitle),
  });
  const asked = chain === undefined ? "" : `?chainId=${chain}`;
  const mint = token.mint.toLowerCase();
  return {
    title: escapeHtml(shownTitle),
    head: head + preload(`/api/token/${mint}${asked}`, `/api/curve/${mint}${asked}`),
  };
}

/** The preview of a shared link. May contain any text: it gets escaped. */
type SharedCard = {
  site: string;
  title: string;
  description: string;
  url: string;
  image: string;
  imageAlt: string;
};

/** Returns the meta tags from which sites that preview links make a card with a large image. */
function cardTags({ site, title, description, url, image, imageAlt }: SharedCard): string {
  const properties = {
    "og:type": "website",
    "og:site_name": site,
    "og:title": title,
    "og:description": description,
    "og:url": url,
    "og:image": image,
    "og:image:type": "image/png",
    "og:image:width": String(cardSize.width),
    "og:image:height": String(cardSize.height),
    "og:image:alt": imageAlt,
  };
  const names = {
    description,
    "twitter:card": "summary_large_image",
    "twitter:title": title,
    "twitter:description": description,
    "twitter:image": image,
  };
  return [...tags("property", properties), ...tags("name", names)].join("");
}

const tags = (attribute: "property" | "name", values: Record<string, string>) =>
  Object.entries(values).map(
    ([name, content]) => `<meta ${attribute}="${name}" content="${escapeHtml(content)}" />`,
  );

const escapeHtml = (text: string) => escapeMarkup(text.toWellFormed());
