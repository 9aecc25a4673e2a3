import { t } from "../language/messages.ts";

/** The fields of a token that hold a link. */
export type LinkField = "websiteUrl" | "twitterUrl" | "telegramUrl";

/** What a name alone means, by field. */
const sites: Partial<Record<LinkField, { site: string; name: RegExp }>> = {
  twitterUrl: { site: "https://x.com/", name: /^@?(\w{1,15})$/ },
  telegramUrl: { site: "https://t.me/", name: /^@?(\w{4,32})$/ },
};

/** The URL of what a creator typed: `@frog`, `x.com/frog` or a URL. Any other text is returned as it is, and is no {@link isLink}. */
export function linkUrl(field: LinkField, text: string): string {
  const typed = text.trim();
  const { site, name } = sites[field] ?? {};
  const handle = name?.exec(typed)?.[1];
  if (handle !== undefined) return `${site}${handle}`;
  // The service takes X and Telegram with https alone, which both have.
  if (site !== undefined && /^http:/i.test(typed)) return typed.replace(/^http:/i, "https:");
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/\S*)?$/i.test(typed) ? `https://${typed}` : typed;
}

/** Whether the service registers a URL in this field, and the explorer makes it a link. */
function isLink(field: LinkField, url: string): boolean {
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) || !URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  // What looks like a site before an @ is the name of a user at another one.
  return username === "" && password === "" && (protocol === "https:" || !(field in sites));
}

/** What is wrong with the link that a creator typed. Undefined if nothing, or if they typed none. */
export function linkProblem(field: LinkField, text: string): string | undefined {
  const url = linkUrl(field, text);
  if (url === "" || isLink(field, url)) return undefined;
  return field === "websiteUrl" ? t.registration.wrongWebsite : t.registration.wrongHandle;
}

/** What somebody typed, on one line: the service registers no line breaks. */
export const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ").trim();
