import { formatCount, formatPercent } from "../format/number.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Amount, Change } from "../parts/amount.tsx";
import { useFlash } from "../parts/hooks.ts";
import { VerifiedMark } from "../parts/icons.tsx";
import { memo } from "../parts/memo.ts";
import { CurveProgress } from "../parts/progress.tsx";
import { Age } from "../parts/time.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { tokenPath, withChain } from "../routing/router.ts";
import { ListedVerdict } from "../token/risk-notes.tsx";
import type { CardProps } from "./card.tsx";
import type { Window } from "./view.ts";

/** The column headers of the table. */
export function TableHead({ window }: { window: Window }) {
  return (
    <div role="rowgroup">
      <div class="table-row table-head" role="row" aria-rowindex={1}>
        <span role="columnheader">{t.common.token}</span>
        <span role="columnheader">{t.common.price}</span>
        <span role="columnheader">{t.common.marketCap}</span>
        <span role="columnheader">{t.home.windows[window]}</span>
        <span role="columnheader">{t.common.volume}</span>
        <span role="columnheader">{t.common.trades}</span>
        <span role="columnheader">{t.common.holders}</span>
        <span role="columnheader">{t.home.curve}</span>
        <span role="columnheader">{t.common.age}</span>
      </div>
    </div>
  );
}

/** A token as a table row. */
export const TableRow = memo(function TableRow({ row, index, window }: CardProps) {
  const price = useFlash<HTMLSpanElement>(row?.priceBnb);
  if (row === undefined) {
    return (
      <div class="table-row is-waiting" role="row" aria-rowindex={index + 2}>
        <span role="cell">
          <span class="visually-hidden">{t.common.loading}</span>
        </span>
      </div>
    );
  }
  const day = row.windows["24h"];
  const [name, symbol] = [displayName(row.name), displaySymbol(row.symbol)];
  return (
    <div class="table-row" role="row" aria-rowindex={index + 2}>
      <span role="cell" class="table-name">
        <TokenImage token={row} size={32} />
        <a class="cover" href={withChain(tokenPath(row.mint))}>
          <bdi>{name}</bdi> {name !== symbol && <bdi class="muted">{symbol}</bdi>}
        </a>
        {row.verified && <VerifiedMark />}
        <ListedVerdict row={row} isShort />
      </span>
      <span role="cell" ref={price}>
        <Amount bnb={row.priceBnb} usd={row.priceUsd} unit={false} />
      </span>
      <span role="cell">
        <Amount bnb={row.marketCapBnb} usd={row.marketCapUsd} unit={false} />
      </span>
      <span role="cell">
        <Change percent={row.windows[window].priceChangePercent} />
      </span>
      <span role="cell">
        <Amount bnb={day.volumeBnb} usd={day.volumeUsd} digits={3} unit={false} />
      </span>
      <span role="cell" class="number">
        {formatCount(day.trades)}
      </span>
      <span role="cell" class="number">
        {formatCount(row.holderCount)}
      </span>
      <span
        role="cell"
        class="table-curve"
        title={row.graduated ? t.common.graduated : formatPercent(row.progress)}
      >
        {row.graduated ? (
          <span class="listed">{t.common.listed}</span>
        ) : (
          <CurveProgress progress={row.progress} graduated={false} />
        )}
      </span>
      <span role="cell" class="number">
        {row.createdAt !== null && <Age time={row.createdAt} />}
      </span>
    </div>
  );
});
