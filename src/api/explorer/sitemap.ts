import type { Context, Hono } from "hono";
import type { TokenPage } from "../tokens/list/token-page.schema.ts";
import { requestService } from "./card/card-routes.ts";

/** Tokens in each of the two lists of which crawlers learn: the API's largest page. */
const listLength = 100;
const pages = ["/", "/board", "/leaderboard", "/stats"];

/**
 * Returns the sitemap (sitemaps.org): the explorer's pages, and those of the tokens with the highest volume in the last 24 hours and
 * of the latest ones, on the chain that is shown first. If the list can't be read, returns the answer that says why.
 */
export async function buildSitemap(service: Hono, c: Context, baseUrl: string): Promise<string | Response> {
  const read = (sort: string) =>
    requestService(service, c, `/api/tokens?sort=${sort}&fields=lastTradeAt,createdAt&limit=${listLength}`);
  const tokens = new Map<string, string>();
  for (const answer of await Promise.all([read("volume"), read("newest")])) {
    if (!answer.ok) return answer;
    for (const token of ((await answer.json()) as TokenPage).tokens) {
      tokens.set(`/token/${token.mint}`, token.lastTradeAt ?? token.createdAt ?? "");
    }
  }
  const url = (path: string, changed = "") =>
    `<url><loc>${baseUrl}${path}</loc>${changed === "" ? "" : `<lastmod>${changed}</lastmod>`}</url>`;
  const urls = [...pages.map((path) => url(path)), ...[...tokens].map(([path, time]) => url(path, time))];
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
}
