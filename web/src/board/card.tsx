import { coin } from "../data/chain.ts";
import { formatCount, formatNumber, formatPercent } from "../format/number.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Amount, Change } from "../parts/amount.tsx";
import { HolderCount, Origin } from "../parts/card-parts.tsx";
import { useFlash } from "../parts/hooks.ts";
import { Icon, VerifiedMark } from "../parts/icons.tsx";
import { memo } from "../parts/memo.ts";
import { CurveProgress } from "../parts/progress.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { tokenPath, withChain } from "../routing/router.ts";
import { ListedVerdict, shareLevel } from "../token/risk-notes.tsx";
import { isBuying, quickAmount, quickBuy, quickBuyLabel } from "./quick-buy.tsx";
import type { Row } from "./row.ts";

/** A token of a column. The whole card links to its page; what else can be clicked lies above that link. */
export const BoardCard = memo(function BoardCard({ row }: { row: Row }) {
  const marketCap = useFlash<HTMLElement>(row.marketCapBnb);
  const day = row.windows["24h"];
  const [name, symbol] = [displayName(row.name), displaySymbol(row.symbol)];
  return (
    <article class="board-card">
      <TokenImage token={row} size={64} />
      <div class="board-name">
        <a class="cover" href={withChain(tokenPath(row.mint))}>
          <bdi>{symbol}</bdi> {name !== symbol && <bdi class="muted">{name}</bdi>}
        </a>
        {row.verified && <VerifiedMark />}
      </div>
      <Origin token={row} class="board-origin" />
      <dl class="board-figures">
        <div>
          <dt title={t.common.marketCap}>{t.common.marketCapShort}</dt>
          <dd>
            <strong ref={marketCap}>
              <Amount bnb={row.marketCapBnb} usd={row.marketCapUsd} digits={3} />
            </strong>
          </dd>
        </div>
        <div>
          <dt title={t.common.volumeOfDay}>{t.common.volumeShort}</dt>
          <dd>
            <Amount bnb={day.volumeBnb} usd={day.volumeUsd} digits={3} />
          </dd>
          <dt title={t.board.tradesOfDay}>{t.board.tradesShort}</dt>
          <dd class="number">{formatCount(day.trades)}</dd>
        </div>
      </dl>
      <div class="board-state">
        {row.graduated ? (
          <>
            <span title={t.common.liquidityMeaning(coin.value)}>
              {t.common.liquidity} <Amount bnb={row.liquidityBnb} usd={row.liquidityUsd} digits={3} />
            </span>
            <span title={t.board.hourChange}>
              {t.board.hour} <Change percent={row.windows["1h"].priceChangePercent} />
            </span>
          </>
        ) : (
          <>
            <CurveProgress progress={row.progress} graduated={false} />
            <span class="number">{formatPercent(row.progress)}</span>
          </>
        )}
      </div>
      <div class="board-risks">
        <HolderCount count={row.holderCount} />
        <ListedVerdict row={row} />
        <Share kind="creator" percent={row.risk.creatorPercent} />
        <Share kind="topTen" percent={row.risk.top10Percent} />
        {(row.risk.snipersPercent ?? 0) > 0 && <Share kind="early" percent={row.risk.snipersPercent} />}
        {(row.risk.insidersPercent ?? 0) > 0 && <Share kind="insiders" percent={row.risk.insidersPercent} />}
      </div>
      <QuickBuyButton row={row} />
    </article>
  );
});

type ShareProps = { kind: keyof typeof t.board.shares; percent: number | null };

/** A share of the circulating supply, coloured from the thresholds of the risk notes. */
function Share({ kind, percent }: ShareProps) {
  if (percent === null) return null;
  const text = formatPercent(percent, 0);
  return (
    <span
      class={`share is-${shareLevel(kind, percent)}`}
      title={t.board.shareMeanings[kind](formatPercent(percent))}
    >
      {t.board.shares[kind]} {text}
    </span>
  );
}

/** Buys for the preset amount at one click. A second click finds it where it was, and does nothing: below it is a link. */
function QuickBuyButton({ row }: { row: Row }) {
  const isBusy = isBuying(row.mint);
  const label = quickBuyLabel(quickAmount.value);
  return (
    <button
      type="button"
      class="quick-buy"
      aria-disabled={isBusy}
      aria-label={t.board.buyFor(displaySymbol(row.symbol), label)}
      title={t.board.buyAtMarket(label)}
      onClick={() => quickBuy(row)}
    >
      <Icon name="bolt" />
      <span class="number">
        {formatNumber(quickAmount.value)}
        <span class="quick-unit"> {coin}</span>
      </span>
    </button>
  );
}
