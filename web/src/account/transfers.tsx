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
      kind="account-transfers"
      columns={[
        { name: t.common.token, cell: (transfer) => <Token token={transfer} /> },
        {
          name: t.account.transfer,
          class: "transfer-party",
          cell: ({ from, to }) => (
            <>
              <span class="muted">{to === address ? t.account.from : t.account.to}</span>{" "}
              <AccountLink address={to === address ? from : to} />
            </>
          ),
        },
        {
          name: t.common.tokens,
          class: ({ to }) => `number ${to === address ? "up" : "down"}`,
          cell: ({ to, amountRaw }) => `${to === address ? "+" : "−"}${formatNumber(fromUnits(amountRaw))}`,
        },
        { name: t.common.age, class: "muted", cell: ({ timestamp }) => <Age time={timestamp} /> },
        { name: t.common.transaction, cell: TransactionLink, isNameHidden: true },
      ]}
    />
  );
}
