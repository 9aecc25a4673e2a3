import { isStarred, toggleStar } from "../data/watchlist.ts";
import { displayName } from "../format/text.ts";
import { Icon } from "./icons.tsx";

/** Puts a token on the visitor's watchlist, or takes it off. */
export function StarButton({ token }: { token: { mint: string; name: string } }) {
  const isOn = isStarred(token.mint);
  return (
    <button
      type="button"
      class={`icon-button star ${isOn ? "is-on" : ""}`}
      aria-pressed={isOn}
      aria-label={`Watch ${displayName(token.name)}`}
      title={isOn ? "On your watchlist" : "Add to your watchlist"}
      onClick={() => toggleStar(token.mint)}
    >
      <Icon name="star" />
    </button>
  );
}
