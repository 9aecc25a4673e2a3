import { useEffect } from "preact/hooks";
import type { EventList } from "../data/event-list.ts";
import { formatNumber, fromUnits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { TransactionLink } from "../parts/external-link.tsx";
import { Icon } from "../parts/icons.tsx";
import { OlderButton } from "../parts/older-button.tsx";
import { Pending } from "../parts/pending.tsx";
import { Rows } from "../parts/rows.tsx";
import { Age } from "../parts/time.tsx";
import { AccountCell, shownRoles } from "./account-cell.tsx";
import type { TokenDetails, Transfer } from "./data.ts";

/** The token's transfers beside its trades, as they happen. */
export default function Transfers({ token, list }: { token: TokenDetails; list: EventList<Transfer> }) {
  useEffect(list.open, [list]);
  const transfers = list.entries.value;
  if (transfers === undefined) {
    return <Pending error={list.error.value} retry={() => void list.reload()} />;
  }
  if (transfers.length === 0) {
    return <p class="tab-empty muted">{t.token.onlyTrades}</p>;
  }
  return (
    <>
      <Rows
        caption={t.common.transfersNewestFirst}
        columns={[
          t.common.age,
          t.token.fromTo,
          t.common.tokens,
          { name: t.common.transaction, isNameHidden: true },
        ]}
      >
        {transfers.map((transfer) => (
          <tr key={`${transfer.tx} ${transfer.logIndex}`}>
            <td class="muted">
              <Age time={transfer.timestamp} />
            </td>
            <td>
              <span class="from-to">
                <Party address={transfer.from} token={token} />
                <span class="to">
                  <Icon name="arrow" />
                  <span class="visually-hidden">{t.token.to}</span>
                  <Party address={transfer.to} token={token} />
                </span>
              </span>
            </td>
            <td class="number">{formatNumber(fromUnits(transfer.amountRaw))}</td>
            <td>
              <TransactionLink chainId={transfer.chainId} tx={transfer.tx} />
            </td>
          </tr>
        ))}
      </Rows>
      <OlderButton list={list}>{t.common.olderTransfers}</OlderButton>
    </>
  );
}

const Party = ({ address, token }: { address: string; token: TokenDetails }) => (
  <AccountCell address={address} shown={shownRoles({ address }, token)} />
);
