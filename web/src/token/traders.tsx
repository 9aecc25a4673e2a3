import { Result } from "../account/result.tsx";
import { coin } from "../data/chain.ts";
import { currency } from "../data/settings.ts";
import { formatNumber, fromUnits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { Pending } from "../parts/problem.tsx";
import { type Column, Table } from "../parts/rows.tsx";
import { navigate, parameter, withParameters } from "../routing/router.ts";
import { AccountCell, RoleLegend, rowClass, shownRoles } from "./account-cell.tsx";
import { type Trader, useChanges, useTraders } from "./data.ts";
import type { TokenTabProps } from "./tabs.tsx";

const orders = ["realised", "unrealised", "volume", "bought", "sold"] as const;

type AmountColumn = {
  name: "bought" | "sold" | "realised" | "unrealised";
  Shown: typeof Amount | typeof Result;
  of: (trader: Trader) => { bnb: string; usd: string | undefined };
};

const amounts: AmountColumn[] = [
  { name: "bought", Shown: Amount, of: (one) => ({ bnb: fromUnits(one.bnbSpentWei), usd: one.spentUsd }) },
  {
    name: "sold",
    Shown: Amount,
    of: (one) => ({ bnb: fromUnits(one.bnbReceivedWei), usd: one.receivedUsd }),
  },
  { name: "realised", Shown: Result, of: (one) => ({ bnb: one.realisedBnb, usd: one.realisedUsd }) },
  { name: "unrealised", Shown: Result, of: (one) => ({ bnb: one.unrealisedBnb, usd: one.unrealisedUsd }) },
];

const orderBy = (order: string) =>
  navigate(withParameters({ by: order === "realised" ? undefined : order }), { replace: true });

/** The token's top traders in the order of the address, with what each made of it. */
export default function Traders({ token, changes }: TokenTabProps) {
  const by = orders.find((order) => order === parameter("by")) ?? "realised";
  const resource = useTraders(token.mint, by);
  useChanges(changes, () => void resource.reload());
  const traders = resource.data.value?.traders;
  return (
    <>
      <div class="tab-head">
        <label class="select">
          <span class="muted">{t.token.orderBy}</span>{" "}
          <select value={by} onChange={(event) => orderBy(event.currentTarget.value)}>
            {orders.map((order) => (
              <option key={order} value={order}>
                {t.token.orders[order]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {traders === undefined ? (
        <Pending of={resource} />
      ) : traders.length === 0 ? (
        <p class="tab-empty muted">{t.token.nobodyTraded}</p>
      ) : (
        <>
          <Table
            caption={t.token.topTradersFirst}
            kind="traders"
            entries={traders}
            getKey={({ address }) => address}
            rowClass={(trader) => rowClass(shownRoles(trader, token))}
            columns={[
              { name: t.common.rank, class: "muted number", cell: ({ rank }) => rank },
              {
                name: t.common.account,
                cell: (trader) => <AccountCell address={trader.address} shown={shownRoles(trader, token)} />,
              },
              ...amounts.map(
                ({ name, Shown, of }): Column<Trader> => ({
                  name: t.token.orders[name],
                  isSorted: name === by,
                  cell: (trader) => (
                    <>
                      <Shown {...of(trader)} />
                      <InBnb {...of(trader)} />
                    </>
                  ),
                }),
              ),
              {
                name: t.token.holds,
                isExtra: true,
                class: "number",
                cell: (one) => formatNumber(fromUnits(one.balanceRaw)),
              },
            ]}
          />
          <p class="panel-note muted">{t.token.tradersNote(coin.value)}</p>
          <RoleLegend accounts={traders} />
        </>
      )}
    </>
  );
}

/** The amount that the order goes by, below one in dollars. */
function InBnb({ bnb, usd }: { bnb: string; usd: string | undefined }) {
  if (currency.value !== "usd" || usd === undefined) return null;
  return (
    <span class="muted second-line is-extra">
      <Amount bnb={bnb} />
    </span>
  );
}
