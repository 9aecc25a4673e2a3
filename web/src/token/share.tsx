import { useState } from "preact/hooks";
import { displayName, displaySymbol } from "../format/text.ts";
import { language, t } from "../language/messages.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { ExternalLink } from "../parts/external-link.tsx";
import { Icon } from "../parts/icons.tsx";
import { lazyComponent } from "../routing/lazy.tsx";
import { tokenPath, withChain } from "../routing/routes.ts";
import type { TokenDetails } from "./data.ts";

const QrCode = lazyComponent(
  () => import("../parts/qr-code.tsx"),
  () => <div class="qr-code" />,
);

/** A button that offers the page's link to X and Telegram, to copy, and as a QR code. */
export function Share({ token }: { token: TokenDetails }) {
  const [isOpen, setIsOpen] = useState(false);
  const link = new URL(withChain(tokenPath(token.mint)), location.origin);
  // The link's preview is in the language of who shares it.
  if (language !== "en") link.searchParams.set("lang", language);
  const url = link.href;
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
      <div
        id="share"
        class="dialog share"
        popover="auto"
        role="dialog"
        aria-label={t.token.share}
        onToggle={(event) => setIsOpen(event.newState === "open")}
      >
        {isOpen && <QrCode text={url} label={t.token.qrCode} />}
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
