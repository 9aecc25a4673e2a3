import { displayName, displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { ExternalLink } from "../parts/external-link.tsx";
import { Icon } from "../parts/icons.tsx";
import { tokenPath, withChain } from "../routing/routes.ts";
import type { TokenDetails } from "./data.ts";

/** A button that offers the page's link to X and Telegram, and to copy. */
export function Share({ token }: { token: TokenDetails }) {
  const url = `${location.origin}${withChain(tokenPath(token.mint))}`;
  const text = `${displayName(token.name)} ($${displaySymbol(token.symbol)})`;
  const query = (values: Record<string, string>) => String(new URLSearchParams(values));
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label={t.token.share}
        title={t.token.share}
        popovertarget="share"
      >
        <Icon name="share" />
      </button>
      <div id="share" class="dialog share" popover="auto" role="dialog" aria-label={t.token.share}>
        <p>
          <code>{url}</code>
          <CopyButton text={url} label={t.token.copyLink} />
        </p>
        <ExternalLink href={`https://x.com/intent/post?${query({ text, url })}`}>X</ExternalLink>
        <ExternalLink href={`https://t.me/share/url?${query({ url, text })}`}>Telegram</ExternalLink>
      </div>
    </>
  );
}
