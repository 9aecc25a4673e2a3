import { formatCount, formatPercent } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Amount, Change } from "../parts/amount.tsx";
import { useFlash } from "../parts/hooks.ts";
import type { TokenDetails } from "./data.ts";

const spans = ["5m", "1h", "6h", "24h"] as const;

/** The token's price, size and activity in numbers. */
export function Facts({ token }: { token: TokenDetails }) {
  const marketCap = useFlash<HTMLElement>(token.marketCapBnb);
  const day = token.windows["24h"];
  return (
    <div class="facts">
      <div class="facts-price">
        <strong ref={marketCap} title={t.common.marketCap}>
          <Amount bnb={token.marketCapBnb} usd={token.marketCapUsd} />{" "}
          <span class="unit">{t.common.marketCapShort}</span>
        </strong>
        <dl class="changes">
          {spans.map((span) => (
            <div key={span}>
              <dt>{t.token.spans[span]}</dt>
              <dd>
                <Change percent={token.windows[span].priceChangePercent} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <dl class="facts-list">
        <div>
          <dt>{t.common.price}</dt>
          <dd>
            <Amount bnb={token.priceBnb} usd={token.priceUsd} />
          </dd>
        </div>
        <div>
          <dt>{t.common.liquidity}</dt>
          <dd title={t.common.liquidityMeaning}>
            <Amount bnb={token.liquidityBnb} usd={token.liquidityUsd} />
          </dd>
        </div>
        <div>
          <dt>{t.common.volume24h}</dt>
          <dd>
            <Amount bnb={day.volumeBnb} usd={day.volumeUsd} />
          </dd>
        </div>
        <div>
          <dt>{t.token.buysAndSells}</dt>
          <dd class="number">
            <span class="up">{formatCount(day.buys)}</span> /{" "}
            <span class="down">{formatCount(day.sells)}</span>
          </dd>
        </div>
        <div>
          <dt>{t.common.holders}</dt>
          <dd class="number">{formatCount(token.holderCount)}</dd>
        </div>
        {!token.graduated && (
          <div>
            <dt>{t.home.curve}</dt>
            <dd class="number accent">{formatPercent(token.progress)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
