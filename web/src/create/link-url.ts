/** The fields of a token that hold a link. */
export type LinkField = "websiteUrl" | "twitterUrl" | "telegramUrl";

/** What a name alone means, by field. */
const sites: Partial<Record<LinkField, { site: string; name: RegExp }>> = {
  twitterUrl: { site: "https://x.com/", name: /^@?(\w{1,15})$/ },
  telegramUrl: { site: "https://t.me/", name: /^@?(\w{4,32})$/ },
};

/** The URL of what a creator typed: `@frog`, `x.com/frog` or a URL. Any other text is returned as it is, and is no URL. */
export function linkUrl(field: LinkField, text: string): string {
  const typed = text.trim();
  const { site, name } = sites[field] ?? {};
  const handle = name?.exec(typed)?.[1];
  if (handle !== undefined) return `${site}${handle}`;
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/\S*)?$/i.test(typed) ? `https://${typed}` : typed;
}
