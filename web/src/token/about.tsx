import { useState } from "preact/hooks";
import { plainLines, plainText } from "../format/plain-text.ts";
import { safeLink } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Fact } from "../parts/fact.tsx";
import { ExternalLink } from "../parts/links.tsx";
import { RowsSkeleton } from "../parts/problem.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import type { EditProps } from "../registration/edit.tsx";
import { lazyComponent } from "../routing/lazy.tsx";
import { account } from "../wallet/connection.ts";
import type { TokenDetails } from "./data.ts";

/* Loaded when somebody opens them. */
const Edit = lazyComponent<EditProps>(() => import("../registration/edit.tsx"), RowsSkeleton);
const Changes = lazyComponent<{ token: TokenDetails }>(
  () => import("../registration/changes.tsx"),
  RowsSkeleton,
);

/** The token's description and links, written by whoever registered it. */
export function About({ token, reload }: { token: TokenDetails; reload: () => Promise<void> }) {
  const [isEditing, setIsEditing] = useState(false);
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const isCreator = account.value === token.creator;
  const links = [
    { label: t.common.website, text: token.websiteUrl },
    { label: "X", text: token.twitterUrl },
    { label: "Telegram", text: token.telegramUrl },
  ].filter(({ text }) => text !== null && text !== "");
  const lines = plainLines(token.description ?? "");
  const isEmpty = links.length === 0 && lines.join("") === "";
  if (isEmpty && !isCreator && !token.verified) return null;
  if (isEditing && isCreator) {
    return (
      <section class="panel about" aria-labelledby="about-title">
        <h2 id="about-title" class="panel-title">
          {t.token.edit}
        </h2>
        <Edit
          token={token}
          onCancel={() => setIsEditing(false)}
          onSaved={() => void reload().then(() => setIsEditing(false))}
        />
      </section>
    );
  }
  return (
    <section class="panel about" aria-labelledby="about-title">
      <h2 id="about-title" class="panel-title">
        {token.verified ? t.token.aboutSigned : t.token.aboutUnsigned}
      </h2>
      <div class="about-text">
        {token.imageUrl !== null && <TokenImage token={token} size={96} />}
        <bdi>
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity, and never move
            <p key={at}>{line || "\u00a0"}</p>
          ))}
        </bdi>
      </div>
      {links.length > 0 && (
        <dl class="about-links">
          {links.map(({ label, text }) => (
            <Fact key={label} name={label}>
              <CreatorLink text={text ?? ""} />
            </Fact>
          ))}
        </dl>
      )}
      {isCreator && (
        <button type="button" class="button is-wide" onClick={() => setIsEditing(true)}>
          {t.token.edit}
        </button>
      )}
      {token.verified && (
        <details class="history" onToggle={(event) => setIsHistoryOpen(event.currentTarget.open)}>
          <summary>{t.token.history}</summary>
          {isHistoryOpen && <Changes token={token} />}
        </details>
      )}
    </section>
  );
}

/** A link that is shown in full, so that visitors see where it leads. Anything but an ordinary web address is shown as text. */
function CreatorLink({ text }: { text: string }) {
  const link = safeLink(text);
  if (link === undefined) return <span class="muted">{t.token.notALink(plainText(text))}</span>;
  return (
    <ExternalLink href={link.href} foreign>
      {link.shown}
    </ExternalLink>
  );
}
