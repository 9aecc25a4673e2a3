import type { components } from "../data/client.ts";
import { formatCount } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Icon } from "./icons.tsx";
import { AccountLink, SocialLinks } from "./links.tsx";
import { StarButton } from "./star-button.tsx";
import { Age } from "./time.tsx";

type Token = components["schemas"]["Token"];

type OriginProps = {
  class: string;
  token: Pick<Token, "mint" | "name" | "createdAt" | "creator" | "websiteUrl" | "twitterUrl" | "telegramUrl">;
};

/** When a token was created and by whom, with its links, and the star. */
export const Origin = ({ class: ownClass, token }: OriginProps) => (
  <span class={`origin ${ownClass}`}>
    {token.createdAt !== null && <Age time={token.createdAt} />}
    <span>
      <span class="visually-hidden">{t.common.createdBy}</span>
      <AccountLink address={token.creator} />
    </span>
    <SocialLinks {...token} />
    <StarButton token={token} />
  </span>
);

export const HolderCount = ({ count }: { count: number }) => (
  <span title={t.common.holders}>
    <Icon name="holders" />
    <span class="visually-hidden">{t.common.holders} </span>
    {formatCount(count)}
  </span>
);
