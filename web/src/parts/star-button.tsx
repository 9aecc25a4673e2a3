import { maxStarred } from "../data/storage.ts";
import { isWatchlistFull, type StarredKind, toggleStar, watchlist } from "../data/watchlist.ts";
import { displayName } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { IconButton } from "./icons.tsx";

/** Puts a token on the visitor's watchlist, or takes it off. */
export const StarButton = ({ token }: { token: { mint: string; name: string } }) => (
  <Star address={token.mint} kind="token" name={displayName(token.name)} />
);

/** Puts a token or an account on the watchlist, or takes it off. */
export function Star({ address, kind, name }: { address: string; kind: StarredKind; name: string }) {
  const isOn = watchlist(kind).includes(address);
  const isFull = !isOn && isWatchlistFull(kind);
  return (
    <IconButton
      icon="star"
      label={t.common.watch(name)}
      class={`icon-button star ${isOn ? "is-on" : ""}`}
      aria-pressed={isOn}
      title={
        isFull ? t.common.watchlistFull(maxStarred) : isOn ? t.common.onWatchlist : t.common.addToWatchlist
      }
      disabled={isFull}
      onClick={() => toggleStar(address, kind)}
    />
  );
}
