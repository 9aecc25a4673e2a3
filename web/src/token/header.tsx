import { useState } from "preact/hooks";
import { Bell } from "../alerts/bell.tsx";
import { displayName, displaySymbol, shortAddress } from "../format/text.ts";
import { language, t } from "../language/messages.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Icon, IconButton } from "../parts/icons.tsx";
import { AccountLink, chainExplorer, ExternalLink, SocialLinks } from "../parts/links.tsx";
import { StarButton } from "../parts/star-button.tsx";
import { Age } from "../parts/time.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { lazyComponent } from "../routing/lazy.tsx";
import { tokenPath, withChain } from "../routing/router.ts";
import type { TokenDetails } from "./data.ts";

/** What alerts can be about. */
const alertValues = ({ risk, holderCount, ...token }: TokenDetails) => ({
  priceBnb: token.priceBnb,
  priceUsd: token.priceUsd,
  marketCapBnb: token.marketCapBnb,
  marketCapUsd: token.marketCapUsd,
  progress: token.progress,
  holders: holderCount,
  creatorPercent: risk.creatorPercent,
  insidersPercent: risk.insidersPercent,
  snipersPercent: risk.snipersPercent,
});

/** The token's image, name, badges and address. */
export function TokenHeader({ token }: { token: TokenDetails }) {
  return (
    <header class="token-header">
      <TokenImage token={token} size={64} />
      <div class="token-title">
        <div class="token-name">
          <h1>
            <bdi>{displayName(token.name)}</bdi> <bdi class="token-symbol">{displaySymbol(token.symbol)}</bdi>
          </h1>
          <StarButton token={token} />
          <Bell
            target={{ kind: "token", mint: token.mint, graduated: token.graduated, now: alertValues(token) }}
            chain={token.chainId as 56 | 97}
            name={displayName(token.name)}
          />
          <Share token={token} />
        </div>
        <p class="token-origin">
          {token.graduated ? (
            <span class="badge is-up">{t.token.listedOnDex}</span>
          ) : (
            <span class="badge">{t.token.onCurve}</span>
          )}
          {token.verified && (
            <span class="badge is-accent" title={t.token.verifiedMeaning}>
              <Icon name="verified" /> {t.token.verified}
            </span>
          )}
          {token.lookAlike !== null && (
            <a class="badge is-warning" href={withChain(tokenPath(token.lookAlike.mint))}>
              {t.token.looksLike(<bdi>{displaySymbol(token.lookAlike.symbol)}</bdi>)}
            </a>
          )}
          <span class="token-address">
            <code title={token.mint}>{shortAddress(token.mint)}</code>
            <CopyButton text={token.mint} label={t.token.copyAddress} />
            <ExternalLink href={chainExplorer(token.chainId, "token", token.mint)}>BscScan</ExternalLink>
            <SocialLinks {...token} />
          </span>
          <span class="muted">
            {t.token.by(<AccountLink address={token.creator} />)}
            {token.createdAt !== null && (
              <>
                {" "}
                · <Age time={token.createdAt} isSentence />
              </>
            )}
          </span>
        </p>
      </div>
    </header>
  );
}

const QrCode = lazyComponent(
  () => import("../parts/qr-code.tsx"),
  () => <div class="qr-code" />,
);

/** A button that offers the page's link to X and Telegram, to copy, and as a QR code. */
function Share({ token }: { token: TokenDetails }) {
  const [isOpen, setIsOpen] = useState(false);
  const link = new URL(withChain(tokenPath(token.mint)), location.origin);
  // The link's preview is in the language of who shares it.
  if (language !== "en") link.searchParams.set("lang", language);
  const url = link.href;
  const text = `${displayName(token.name)} ($${displaySymbol(token.symbol)})`;
  const query = (values: Record<string, string>) => String(new URLSearchParams(values));
  return (
    <>
      <IconButton icon="share" label={t.token.share} title={t.token.share} popovertarget="share" />
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
