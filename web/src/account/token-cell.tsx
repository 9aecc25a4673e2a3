import { getTokenImage } from "../data/token-images.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { TokenImage } from "../parts/token-image.tsx";
import { tokenPath, withChain } from "../routing/routes.ts";

export type TokenRef = { mint: string; name: string; symbol: string; hidden?: true | undefined };

/** The token that a row is about. A hidden token has no name here; its page gives the reason. */
export function Token({ token }: { token: TokenRef }) {
  if (token.hidden) {
    return (
      <a class="row-token muted" href={withChain(tokenPath(token.mint))}>
        {t.account.hiddenToken}
      </a>
    );
  }
  return (
    <a class="row-token" href={withChain(tokenPath(token.mint))}>
      <TokenImage token={{ ...token, imageUrl: getTokenImage(token.mint) }} size={24} />
      <bdi>{displayName(token.name)}</bdi> <bdi class="muted">{displaySymbol(token.symbol)}</bdi>
    </a>
  );
}
