import { cardTags } from "./card-tags.ts";

/** The list that the home page shows first, the same as in web/src/home/list-query.ts; a test compares them. */
const firstPage =
  "/api/tokens?board=all&sort=trending&fields=mint,name,symbol,imageUrl,creator,createdAt,verified,progress,graduated,priceBnb,priceUsd,marketCapBnb,marketCapUsd,holderCount,liquidityBnb,liquidityUsd,websiteUrl,twitterUrl,telegramUrl,risk,creatorRecord,windows&limit=30&page=1";

/** Leads programs that know only the base URL to the introduction for language models. */
const introduction =
  '<link rel="alternate" type="text/plain" title="For language models" href="/llms.txt" />';

/**
 * The home page's additions to the head: its card, a link to the introduction, and a preload of the first list, in parallel with
 * the page's code.
 */
export function homeHead(query: Record<string, string>, baseUrl: string): string {
  const head = cardTags({
    title: "Launchpad",
    description:
      "Tokens on BNB Smart Chain: live boards, charts, holders and risk. Trade and create with your own wallet.",
    url: `${baseUrl}/`,
    image: `${baseUrl}/card.png`,
    imageAlt: "The launchpad in numbers",
  }).concat(introduction);
  // Any other list is only requested once the code runs.
  if (Object.keys(query).length > 0) return head;
  return `${head}<link rel="preload" as="fetch" crossorigin="anonymous" href="${firstPage.replaceAll("&", "&amp;")}" />`;
}
