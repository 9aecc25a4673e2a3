import type { ComponentChildren } from "preact";
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
      <span class="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
