import { displayNames } from "../market/display-name.ts";

/** What of a token's metadata a shared link shows. */
export type SharedToken = { mint: string; name: string; symbol: string; description: string; image: string };

const longestDescription = 200;

/** The title and the card of a token's page, as those who unfurl links read it. Creators' text is escaped. */
export function tokenHead(token: SharedToken, baseUrl: string): { title: string; head: string } {
  const { name, symbol } = displayNames({ ...token, address: token.mint });
  const title = `${name} (${symbol}) · Launchpad`;
  const about = [...token.description.replace(/\s+/g, " ").trim()].slice(0, longestDescription).join("");
  const cid = /^ipfs:\/\/(baf[a-z2-7]{50,100})$/.exec(token.image)?.[1];
  const card = {
    "og:type": "website",
    "og:site_name": "Launchpad",
    "og:title": `${name} (${symbol})`,
    "og:description": about === "" ? "A token on the launchpad: price, trades, holders and risk." : about,
    "og:url": `${baseUrl}/token/${token.mint}`,
    ...(cid === undefined ? {} : { "og:image": `${baseUrl}/ipfs/${cid}` }),
  };
  const tags = Object.entries(card).map(
    ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}" />`,
  );
  return { title: escapeHtml(title), head: `${tags.join("")}<meta name="twitter:card" content="summary" />` };
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string) =>
  text.toWellFormed().replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
