import { Result } from "../account/result.tsx";
import { currency } from "../data/settings.ts";
import { formatNumber, fromUnits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { Pending } from "../parts/problem.tsx";
import { Rows } from "../parts/rows.tsx";
import { navigate, parameter, withParameters } from "../routing/router.ts";
import { AccountCell, RoleLegend, rowClass, shownRoles } from "./account-cell.tsx";
import { type TokenDetails, type Trader, useChanges, useTraders } from "./data.ts";
import type { TokenTabProps } from "./tabs.tsx";

const orders = [
  { value: "realised", label: t.token.orders.realised },
  { value: "unrealised", label: t.token.orders.unrealised },
  { value: "volume", label: t.token.orders.volume },
  { value: "bought", label: t.token.orders.bought },
  { value: "sold", label: t.token.orders.sold },
] as const;

const columns = ["bought", "sold", "realised", "unrealised"] as const;

const orderBy = (order: string) =>
  navigate(withParameters({ by: order === "realised" ? undefined : order }), { replace: true });

/** The token's top traders in the order of the address, with what each made of it. */
export default function Traders({ token, changes }: TokenTabProps) {
  const by = orders.find(({ value }) => value === parameter("by"))?.value ?? "realised";
  const resource = useTraders(token.mint, by);
  useChanges(changes, () => void resource.reload());
  const traders = resource.data.value?.traders;
  return (
    <>
      <div class="tab-head">
        <label class="select">
          <span class="muted">{t.token.orderBy}</span>{" "}
          <select value={by} onChange={(event) => orderBy(event.currentTarget.value)}>
            {orders.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      {traders === undefined ? (
        <Pending error={resource.error.value} retry={() => void resource.reload()} />
      ) : traders.length === 0 ? (
        <p class="tab-empty muted">{t.token.nobodyTraded}</p>
      ) : (
        <>
          <Rows
            caption={t.token.topTradersFirst}
            columns={[
              t.common.rank,
              t.common.account,
              ...columns.map((order) => ({ name: t.token.orders[order], isSorted: order === by })),
              { name: t.token.holds, isExtra: true },
            ]}
            kind="traders"
          >
            {traders.map((trader) => (
              <Row key={trader.address} trader={trader} token={token} />
            ))}
          </Rows>
          <p class="panel-note muted">{t.token.tradersNote}</p>
          <RoleLegend accounts={traders} />
        </>
      )}
    </>
  );
}

function Row({ trader, token }: { trader: Trader; token: TokenDetails }) {
  const shown = shownRoles(trader, token);
  const bought = fromUnits(trader.bnbSpentWei);
  const sold = fromUnits(trader.bnbReceivedWei);
  return (
    <tr class={rowClass(shown)}>
      <td class="muted number">{trader.rank}</td>
      <td>
        <AccountCell address={trader.address} shown={shown} />
      </td>
      <td>
        <Amount bnb={bought} usd={trader.spentUsd} />
        <InBnb bnb={bought} usd={trader.spentUsd} />
      </td>
      <td>
        <Amount bnb={sold} usd={trader.receivedUsd} />
        <InBnb bnb={sold} usd={trader.receivedUsd} />
      </td>
      <td>
        <Result bnb={trader.realisedBnb} usd={trader.realisedUsd} />
        <InBnb bnb={trader.realisedBnb} usd={trader.realisedUsd} />
      </td>
      <td>
        <Result bnb={trader.unrealisedBnb} usd={trader.unrealisedUsd} />
        <InBnb bnb={trader.unrealisedBnb} usd={trader.unrealisedUsd} />
      </td>
      <td class="number is-extra">{formatNumber(fromUnits(trader.balanceRaw))}</td>
    </tr>
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
