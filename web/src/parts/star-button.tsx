import { isStarred, toggleStar } from "../data/watchlist.ts";
import { displayName } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Icon } from "./icons.tsx";

/** Puts a token on the visitor's watchlist, or takes it off. */
export function StarButton({ token }: { token: { mint: string; name: string } }) {
  const isOn = isStarred(token.mint);
  return (
    <button
      type="button"
      class={`icon-button star ${isOn ? "is-on" : ""}`}
      aria-pressed={isOn}
      aria-label={t.common.watch(displayName(token.name))}
      title={isOn ? t.common.onWatchlist : t.common.addToWatchlist}
      onClick={() => toggleStar(token.mint)}
    >
      <Icon name="star" />
    </button>
  );
}
