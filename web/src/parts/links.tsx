import type { ComponentChildren } from "preact";
import { safeLink, shortAddress } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { accountPath, withChain } from "../routing/router.ts";
import { Icon, type IconName } from "./icons.tsx";

type ExternalLinkProps = {
  href: string;
  children: ComponentChildren;
  /** Whether a creator wrote the address. */
  foreign?: boolean;
};

/** A link that leaves the explorer. It opens in a new tab and sends no referrer. */
export function ExternalLink({ href, children, foreign = false }: ExternalLinkProps) {
  return (
    <a
      class="external"
      href={href}
      target="_blank"
      rel={`noopener noreferrer nofollow${foreign ? " ugc" : ""}`}
      referrerpolicy="no-referrer"
    >
      {children}
      <Icon name="external" />
      <span class="visually-hidden"> {t.common.opensInNewTab}</span>
    </a>
  );
}

/** A link to a row's transaction on the chain's public explorer. */
export function TransactionLink({ chainId, tx }: { chainId: number; tx: string }) {
  return (
    <ExternalLink href={chainExplorer(chainId, "tx", tx)}>
      <span class="visually-hidden">{t.common.transactionOnBscScan}</span>
    </ExternalLink>
  );
}

const sites: Record<number, string> = { 56: "https://bscscan.com", 97: "https://testnet.bscscan.com" };

/** The URL of an address, token or transaction on the chain's public explorer. */
export const chainExplorer = (chainId: number, kind: "address" | "token" | "tx", id: string) =>
  `${sites[chainId] ?? sites[56]}/${kind}/${id}`;

/** A link to an account's page, with its shortened address. */
export function AccountLink({ address, children }: { address: string; children?: ComponentChildren }) {
  return (
    <a class="address" href={withChain(accountPath(address))} title={address}>
      {children ?? shortAddress(address)}
    </a>
  );
}

type Socials = { websiteUrl: string | null; twitterUrl: string | null; telegramUrl: string | null };

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
