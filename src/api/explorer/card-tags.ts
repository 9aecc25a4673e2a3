import { cardSize } from "./card/svg.ts";

/** The preview of a shared link. May contain any text: it gets escaped. */
export type SharedCard = { title: string; description: string; url: string; image: string; imageAlt: string };

/** Returns the meta tags from which sites that preview links make a card with a large image. */
export function cardTags({ title, description, url, image, imageAlt }: SharedCard): string {
  const properties = {
    "og:type": "website",
    "og:site_name": "Launchpad",
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

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string) =>
  text.toWellFormed().replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
