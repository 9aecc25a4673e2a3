import { safeLink } from "../format/link.ts";
import { t } from "../language/messages.ts";
import { Icon, type IconName } from "./icons.tsx";

export type Socials = { websiteUrl: string | null; twitterUrl: string | null; telegramUrl: string | null };

/** The hosts whose links have their own icon. A link that leads elsewhere has the icon of a website. */
const hosts: { icon: IconName; label: string; host: RegExp }[] = [
  { icon: "x", label: "X", host: /^(www\.|mobile\.)?(x|twitter)\.com$/ },
  { icon: "telegram", label: "Telegram", host: /^(t|telegram)\.me$/ },
];

/** A creator's links as icons. Where each leads is in its title, and what it is called follows from that alone. */
export function SocialLinks({ websiteUrl, twitterUrl, telegramUrl }: Socials) {
  const links = [websiteUrl, twitterUrl, telegramUrl].flatMap((text) => safeLink(text) ?? []);
  return (
    <>
      {links.map(({ href, shown }) => {
        const { hostname } = new URL(href);
        const { icon, label } = hosts.find(({ host }) => host.test(hostname)) ?? {
          icon: "web" as const,
          label: hostname,
        };
        return (
          <a
            key={href}
            class="social"
            href={href}
            title={shown}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            referrerpolicy="no-referrer"
          >
            <Icon name={icon} />
            <span class="visually-hidden">
              {label} {t.common.opensInNewTab}
            </span>
          </a>
        );
      })}
    </>
  );
}
