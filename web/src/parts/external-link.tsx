import type { ComponentChildren } from "preact";
import { shortAddress } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { accountPath, withChain } from "../routing/routes.ts";
import { Icon } from "./icons.tsx";

export type ExternalLinkProps = {
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
export function AccountLink({ address, children }: { address: string; children?: preact.ComponentChildren }) {
  return (
    <a class="address" href={withChain(accountPath(address))} title={address}>
      {children ?? shortAddress(address)}
    </a>
  );
}
