import { Result } from "../account/result.tsx";
import { chainId, coin } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { useLast, useReloadEvery, useResource } from "../data/resource.ts";
import { currency } from "../data/settings.ts";
import { formatCount, formatPercent, groupDigits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { Choices } from "../parts/choices.tsx";
import { Identicon } from "../parts/identicon.tsx";
import { AccountLink } from "../parts/links.tsx";
import { Pager } from "../parts/pager.tsx";
import { Pending } from "../parts/problem.tsx";
import { Rows } from "../parts/rows.tsx";
import { Age } from "../parts/time.tsx";
import { navigate, parameter, withParameters } from "../routing/router.ts";
import { Title } from "../shell/page-head.tsx";
import { account } from "../wallet/connection.ts";

const orders = ["realised", "volume", "trades", "created", "graduated"] as const;
const ofCreators: readonly By[] = ["created", "graduated"];
const windows = ["24h", "7d", "30d", "all"] as const;

type By = (typeof orders)[number];
type Window = (typeof windows)[number];

const pageSize = 50;

/** How often the leaderboard is reloaded. */
const reloadMs = 30_000;

const readBoard = (by: By, window: Window, page: number) =>
  dataOf(
    api.GET("/api/leaderboard", {
      params: { query: { by, window, page, limit: pageSize, chainId: chainId.peek() } },
    }),
  );

type Leader = Awaited<ReturnType<typeof readBoard>>["leaders"][number];

/** Ranks accounts by profit, trading and created tokens. */
export default function LeaderboardPage() {
  const by = orders.find((order) => order === parameter("by")) ?? "realised";
  const window = windows.find((one) => one === parameter("window")) ?? "all";
  const page = Math.max(1, Math.floor(Number(parameter("page") ?? 1)) || 1);
  const board = useResource(`leaders ${by} ${window} ${page} ${chainId.value ?? ""}`, () =>
    readBoard(by, window, page),
  );
  useReloadEvery(reloadMs, board);
  const { data, error } = board;
  const shown = useLast(data.value, `${by} ${window} ${chainId.value ?? ""}`);
  const isOfTraders = !ofCreators.includes(by);
  /** What the rank is not based on. A narrow screen has no room for it. */
  const others = orders.filter((order) => order !== by && ofCreators.includes(order) !== isOfTraders);
  const turn = (to: number) => navigate(withParameters({ page: to === 1 ? undefined : String(to) }));
  return (
    <>
      <Title>{t.shell.leaderboard}</Title>
      <h1 class="page-title">{t.shell.leaderboard}</h1>
      <div class="controls">
        <Choices
          label={t.leaderboard.by}
          value={by}
          choices={orders.map((value) => ({ value, label: t.leaderboard.orders[value] }))}
          onChange={(value) => navigate(withParameters({ by: value, page: undefined }))}
        />
        <Choices
          label={t.common.time}
          value={window}
          choices={windows.map((value) => ({ value, label: t.leaderboard.windows[value] }))}
          onChange={(value) => navigate(withParameters({ window: value, page: undefined }))}
        />
        {shown !== undefined && (
          <span class="controls-end muted">
            <span>
              {t.leaderboard.count(groupDigits(shown.total), <Age time={shown.asOf.time} isSentence />)}
            </span>
          </span>
        )}
      </div>
      <section class="panel" aria-label={t.leaderboard.accounts}>
        {shown === undefined || (data.value === undefined && error.value !== undefined) ? (
          <Pending of={board} />
        ) : shown.leaders.length === 0 ? (
          <p class="tab-empty muted">{t.leaderboard.empty}</p>
        ) : (
          <>
            <Rows
              caption={t.leaderboard.caption}
              columns={[
                t.common.rank,
                t.common.account,
                t.leaderboard.orders[by],
                ...(isOfTraders
                  ? [{ name: t.leaderboard.winRate, title: t.leaderboard.winRateMeaning(coin.value) }]
                  : []),
                ...others.map((order) => ({ name: t.leaderboard.orders[order], isExtra: true })),
              ]}
            >
              {shown.leaders.map((leader) => (
                <tr key={leader.address} class={leader.address === account.value ? "is-you" : ""}>
                  <td class="number muted">{leader.rank}</td>
                  <td>
                    <Identicon address={leader.address} /> <AccountLink address={leader.address} />
                  </td>
                  <td>
                    <Value leader={leader} by={by} />
                  </td>
                  {isOfTraders && <td class="number">{winRate(leader)}</td>}
                  {others.map((order) => (
                    <td key={order} class="is-extra">
                      <Value leader={leader} by={order} />
                    </td>
                  ))}
                </tr>
              ))}
            </Rows>
            {(page > 1 || shown.hasMore) && (
              <Pager
                label={t.leaderboard.pages}
                page={page}
                hasMore={shown.hasMore}
                back={t.leaderboard.higher}
                next={t.leaderboard.lower}
                onTurn={turn}
              />
            )}
          </>
        )}
      </section>
    </>
  );
}

/** The share of the account's sells that realised a gain. */
const winRate = ({ sells = 0, profitableSells = 0 }: Leader) =>
  sells === 0 ? "–" : formatPercent((100 * profitableSells) / sells, 0);

/** A value of the account. Ranks are by amounts in BNB; visitors who chose dollars see those beside it. */
function Value({ leader, by }: { leader: Leader; by: By }) {
  switch (by) {
    case "realised":
      return (
        <>
          <Dollars bnb={leader.realisedBnb} usd={leader.realisedUsd} />{" "}
          <span class="ranked">
            <Result bnb={leader.realisedBnb ?? null} />
          </span>
        </>
      );
    case "volume":
      return (
        <>
          <Dollars bnb={leader.volumeBnb} usd={leader.volumeUsd} />{" "}
          <span class="ranked">
            <Amount bnb={leader.volumeBnb} />
          </span>
        </>
      );
    case "trades":
      return <span class="number">{formatCount(leader.trades ?? 0)}</span>;
    case "created":
      return <span class="number">{formatCount(leader.tokensCreated ?? 0)}</span>;
    case "graduated":
      return <span class="number">{formatCount(leader.tokensGraduated ?? 0)}</span>;
  }
}

function Dollars(amount: { bnb: string | undefined; usd: string | undefined }) {
  if (currency.value !== "usd" || amount.usd === undefined) return null;
  return (
    <span class="muted is-extra">
      <Amount {...amount} />
    </span>
  );
}
