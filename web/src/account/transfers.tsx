import { useMemo } from "preact/hooks";
import { chainId } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { createEventList } from "../data/event-list.ts";
import { formatNumber, fromUnits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { EventRows } from "../parts/event-rows.tsx";
import { AccountLink, TransactionLink } from "../parts/links.tsx";
import { Age } from "../parts/time.tsx";
import { Token } from "./lists.tsx";

const readTransfers = (address: string, cursor?: string) =>
  dataOf(
    api.GET("/api/account/{address}/transfers", {
      params: { path: { address }, query: { chainId: chainId.peek(), limit: 50, cursor } },
    }),
  );

type Transfer = Awaited<ReturnType<typeof readTransfers>>["transfers"][number];

const createList = (address: string) =>
  createEventList<Transfer>({
    async readPage(cursor) {
      const { transfers, nextCursor } = await readTransfers(address, cursor);
      return { entries: transfers, nextCursor };
    },
    toEntry: () => undefined,
  });

/** What the account received and sent other than by trades. */
export function Transfers({ address }: { address: string }) {
  const list = useMemo(() => createList(address), [address, chainId.value]);
  return (
    <EventRows
      list={list}
      emptyText={t.account.noTransfers}
      older={t.common.olderTransfers}
      caption={t.common.transfersNewestFirst}
      columns={[
        t.common.token,
        t.account.transfer,
        t.common.tokens,
        t.common.age,
        { name: t.common.transaction, isNameHidden: true },
      ]}
      kind="account-transfers"
      row={(transfer) => <Cells transfer={transfer} isReceived={transfer.to === address} />}
    />
  );
}

function Cells({ transfer, isReceived }: { transfer: Transfer; isReceived: boolean }) {
  return (
    <>
      <td>
        <Token token={transfer} />
      </td>
      <td class="transfer-party">
        <span class="muted">{isReceived ? t.account.from : t.account.to}</span>{" "}
        <AccountLink address={isReceived ? transfer.from : transfer.to} />
      </td>
      <td class={`number ${isReceived ? "up" : "down"}`}>
        {isReceived ? "+" : "−"}
        {formatNumber(fromUnits(transfer.amountRaw))}
      </td>
      <td class="muted">
        <Age time={transfer.timestamp} />
      </td>
      <td>
        <TransactionLink chainId={transfer.chainId} tx={transfer.tx} />
      </td>
    </>
  );
}
