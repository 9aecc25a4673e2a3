import type { EventList } from "../data/event-list.ts";
import { formatNumber, fromUnits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { EventRows } from "../parts/event-rows.tsx";
import { Icon } from "../parts/icons.tsx";
import { TransactionLink } from "../parts/links.tsx";
import { Age } from "../parts/time.tsx";
import { AccountCell, shownRoles } from "./account-cell.tsx";
import type { TokenDetails, Transfer } from "./data.ts";

/** The token's transfers beside its trades, as they happen. */
export default function Transfers({ token, list }: { token: TokenDetails; list: EventList<Transfer> }) {
  return (
    <EventRows
      list={list}
      emptyText={t.token.onlyTrades}
      older={t.common.olderTransfers}
      caption={t.common.transfersNewestFirst}
      columns={[
        { name: t.common.age, class: "muted", cell: ({ timestamp }) => <Age time={timestamp} /> },
        {
          name: t.token.fromTo,
          cell: ({ from, to }) => (
            <span class="from-to">
              <Party address={from} token={token} />
              <span class="to">
                <Icon name="arrow" />
                <span class="visually-hidden">{t.token.to}</span>
                <Party address={to} token={token} />
              </span>
            </span>
          ),
        },
        {
          name: t.common.tokens,
          class: "number",
          cell: ({ amountRaw }) => formatNumber(fromUnits(amountRaw)),
        },
        { name: t.common.transaction, cell: TransactionLink, isNameHidden: true },
      ]}
    />
  );
}

const Party = ({ address, token }: { address: string; token: TokenDetails }) => (
  <AccountCell address={address} shown={shownRoles({ address }, token)} />
);
