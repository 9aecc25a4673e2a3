import { useEffect } from "preact/hooks";
import { hasAlerts } from "../alerts/available.ts";
import { useReloadAfter } from "../data/use-reload.ts";
import { useStream } from "../data/use-stream.ts";
import { watchlist } from "../data/watchlist.ts";
import { shortAddress } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { AccountLink } from "../parts/address.tsx";
import { Icon } from "../parts/icons.tsx";
import { Identicon } from "../parts/identicon.tsx";
import { withChain } from "../routing/routes.ts";
import { Title } from "../shell/title.tsx";
import { useStats } from "../stats/stats.ts";
import { Controls } from "./controls.tsx";
import { Feed, feedEvent } from "./feed.tsx";
import { List } from "./list.tsx";
import { Ticker } from "./ticker.tsx";
import { newTokenCount, noteEvent, reloadView } from "./updates.ts";
import { view } from "./view.ts";

/** The totals are reloaded at most this often while events arrive. */
const totalsIntervalMs = 10_000;

/** The accounts on the watchlist, and the way to the visitor's alerts. */
function WatchedAccounts() {
  const accounts = watchlist("account");
  if (accounts.length === 0 && !hasAlerts) return null;
  return (
    <nav class="watched" aria-label={t.home.watchedAccounts}>
      {accounts.map((address) => (
        <AccountLink key={address} address={address}>
          <Identicon address={address} /> {shortAddress(address)}
        </AccountLink>
      ))}
      {hasAlerts && (
        <a class="address" href={withChain("/alerts")}>
          <Icon name="bell" /> {t.common.alerts}
        </a>
      )}
    </nav>
  );
}

/** The list of all tokens, and the latest events. */
export function HomePage() {
  const stats = useStats();
  const reloadTotals = useReloadAfter(totalsIntervalMs, [stats]);
  useStream(
    {},
    {
      onEvent(event) {
        feedEvent(event);
        noteEvent(event);
        reloadTotals();
      },
      onGap(isBrief) {
        if (isBrief) return;
        void reloadView();
        void stats.reload();
      },
    },
  );
  const shown = view.value;
  useEffect(() => {
    // A changed view is read again and includes the new tokens.
    if (shown) newTokenCount.value = 0;
  }, [shown]);
  return (
    <>
      <Title>{shown.q === "" ? t.shell.tokens : t.home.search(shown.q)}</Title>
      <h1 class="visually-hidden">{t.shell.tokens}</h1>
      <Ticker stats={stats.data.value} />
      <div class="home">
        <section class="home-list" aria-label={t.shell.tokens}>
          <Controls />
          {shown.board === "watchlist" && <WatchedAccounts />}
          <List />
        </section>
        <aside class="home-side">
          <Feed />
        </aside>
      </div>
    </>
  );
}
