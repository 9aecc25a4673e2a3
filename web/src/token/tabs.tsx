import type { ComponentChildren } from "preact";
import type { EventList } from "../data/event-list.ts";
import { t } from "../language/messages.ts";
import { RowsSkeleton } from "../parts/problem.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { lazyComponent } from "../routing/lazy.tsx";
import type { Changes, Lists, TokenDetails, Trade, Transfer } from "./data.ts";
import { Trades } from "./trades.tsx";

export type TokenTabProps = { token: TokenDetails; changes: Changes };

type TokenTabsProps = TokenTabProps & {
  trades: EventList<Trade>;
  transfers: EventList<Transfer>;
  lists: Lists;
  /** What is beside the chart on a wide screen. On a narrow one it is a tab, so that trades are not far below it. */
  about: ComponentChildren;
};

const Holders = lazyComponent<TokenTabProps>(() => import("./holders.tsx"), RowsSkeleton);
const Traders = lazyComponent<TokenTabProps>(() => import("./traders.tsx"), RowsSkeleton);
const Transfers = lazyComponent<{ token: TokenDetails; list: EventList<Transfer> }>(
  () => import("./transfers.tsx"),
  RowsSkeleton,
);
const Liquidity = lazyComponent<{ token: TokenDetails }>(() => import("./liquidity.tsx"), RowsSkeleton);

/** Who traded and who holds the token, and where it went. Only the data of the selected tab are read. */
export function TokenTabs({ token, changes, trades, transfers, lists, about }: TokenTabsProps) {
  return (
    <section class="panel token-tabs" aria-label={t.token.market}>
      <Tabs
        label={t.token.market}
        tabs={[
          {
            name: "trades",
            label: t.common.trades,
            count: token.trades,
            render: () => <Trades token={token} list={trades} lists={lists} />,
          },
          ...(about === undefined
            ? []
            : [
                {
                  name: "about",
                  label: t.token.tabs.about,
                  render: () => <div class="token-about">{about}</div>,
                },
              ]),
          {
            name: "holders",
            label: t.common.holders,
            count: token.holderCount,
            render: () => <Holders token={token} changes={changes} />,
          },
          {
            name: "traders",
            label: t.token.tabs.topTraders,
            render: () => <Traders token={token} changes={changes} />,
          },
          {
            name: "transfers",
            label: t.common.transfers,
            render: () => <Transfers token={token} list={transfers} />,
          },
          { name: "liquidity", label: t.common.liquidity, render: () => <Liquidity token={token} /> },
        ]}
      />
    </section>
  );
}
