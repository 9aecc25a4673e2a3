import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { chainName, coin } from "../data/chain.ts";
import { slippage, typedSlippage } from "../data/settings.ts";
import { formatDown, formatNumber, fromUnits } from "../format/number.ts";
import { displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Understood } from "../parts/amount.tsx";
import { Choices } from "../parts/choices.tsx";
import { useMedia } from "../parts/hooks.ts";
import { IconButton } from "../parts/icons.tsx";
import { ConfirmLoss } from "../parts/loss.tsx";
import { walletChain } from "../wallet/connection.ts";
import { StatusLine } from "../wallet/status-line.tsx";
import { WithWallet } from "../wallet/switch-chain.tsx";
import type { Events, TokenDetails } from "./data.ts";
import { Position } from "./position.tsx";
import { QuoteLines } from "./quote-lines.tsx";
import { RiskVerdict } from "./risk.tsx";
import { type Side, shareOf, type TradeState, useTrade } from "./use-trade.ts";

/** From this width on, panels are beside the chart, as in token.css. */
export const hasRoom = "(min-width: 64rem)";

/** Buys and sells with the visitor's wallet. The service builds the transaction, the page checks it, and the wallet signs it. */
export function Trade({ token, events }: { token: TokenDetails; events: Events }) {
  const trade = useTrade(token, events);
  if (!useMedia(hasRoom)) {
    return (
      <TradeSheet trade={trade}>
        <TradeForm trade={trade} />
      </TradeSheet>
    );
  }
  return (
    <section class="panel trade" aria-labelledby="trade-title">
      <h2 id="trade-title" class="visually-hidden">
        {t.trade.title}
      </h2>
      <TradeForm trade={trade} />
    </section>
  );
}

const sides = [
  { value: "buy", label: t.common.buy },
  { value: "sell", label: t.common.sell },
] as const;

function TradeForm({ trade }: { trade: TradeState }) {
  const { token, side, units, unit, problem, quote, available, isWorking, owner, chainId } = trade;
  return (
    <div class={`trade-form is-${side}`}>
      <Choices
        label={t.trade.side}
        value={side}
        isDisabled={isWorking}
        choices={sides}
        onChange={trade.setSide}
      />
      <form
        onSubmit={() => {
          if (!trade.isConfirming) void trade.trade();
        }}
      >
        <div class="field">
          <span class="field-head">
            <label for="trade-amount">{side === "buy" ? t.trade.youPay : t.trade.youSell}</label>
            {available !== undefined && (
              <span class="muted number">
                {t.trade.balance(formatDown(available.balance, 6))} <bdi>{unit}</bdi>
              </span>
            )}
          </span>
          <span class="field-row">
            <input
              id="trade-amount"
              inputMode="decimal"
              autocomplete="off"
              placeholder="0"
              value={trade.amount}
              readOnly={isWorking}
              aria-invalid={problem !== undefined}
              aria-describedby="trade-problem"
              onInput={(event) => trade.setAmount(event.currentTarget.value)}
            />
            <span class="field-unit">
              <bdi>{unit}</bdi>
            </span>
          </span>
          <p id="trade-problem" class="down small-text" role="alert">
            {problem}
          </p>
        </div>
        <QuickAmounts trade={trade} />
        <div class="understood-place">
          <Understood units={units} unit={unit} usdEach={usdEach(side, token)} />
        </div>
        <Slippage isDisabled={isWorking} />
        <RiskVerdict token={token} />
        <WithWallet chain={chainId} status={trade.status}>
          {trade.isConfirming && trade.loss !== undefined ? (
            <ConfirmLoss
              loss={trade.loss}
              action={side}
              isReady={trade.canTrade}
              onConfirm={() => void trade.trade()}
              onCancel={trade.cancel}
            />
          ) : (
            <button type="submit" class={`button is-${side} is-wide`} disabled={!trade.canTrade}>
              {t.common[side]}
            </button>
          )}
        </WithWallet>
        {/* Below the button, so that a quote that arrives doesn't move it away from the pointer. */}
        {quote !== undefined && <QuoteLines quote={quote} token={token} isCurrent={trade.isCurrent} />}
      </form>
      {trade.isOtherChain && (
        <p class="small-text" role="status">
          {t.trade.chains(chainName(walletChain.value ?? 0), chainName(chainId))}
        </p>
      )}
      <StatusLine status={trade.status.value} chain={chainId} />
      {owner !== undefined && <Position position={trade.position.data.value} symbol={token.symbol} />}
    </div>
  );
}

const presets = ["0.001", "0.01", "0.05"] as const;
const shares = [25n, 50n, 100n] as const;

/** Amounts at one click: usual ones, and shares of what the visitor has. */
function QuickAmounts({ trade: { side, available, reserve, isWorking, setAmount } }: { trade: TradeState }) {
  const most = available?.most ?? 0n;
  return (
    <div class="quick">
      {side === "buy" &&
        presets.map((value) => (
          <button
            key={value}
            type="button"
            class="quick-button"
            disabled={isWorking}
            onClick={() => setAmount(value)}
          >
            {value} {coin}
          </button>
        ))}
      {shares.map((percent) => (
        <button
          key={percent}
          type="button"
          class="quick-button"
          disabled={isWorking || most === 0n}
          title={
            side === "buy" && percent === 100n
              ? t.trade.allButGas(`${formatNumber(fromUnits(reserve))} ${coin.value}`)
              : undefined
          }
          onClick={() => setAmount(shareOf(side, most, percent))}
        >
          {percent === 100n ? t.trade.max : `${percent}%`}
        </button>
      ))}
    </div>
  );
}

/** USD for one of what is paid in, at the price that the page shows. */
function usdEach(side: Side, { priceBnb, priceUsd }: TokenDetails): number | undefined {
  if (priceUsd === undefined) return undefined;
  return side === "buy" ? Number(priceUsd) / Number(priceBnb) : Number(priceUsd);
}

const usual = ["0.5", "1", "3", "10"];

/** From this limit on, others may take much of a trade by trading before it. */
const highPercent = 15;

/** How much less than quoted a trade may bring: one of the usual limits, or one's own. */
function Slippage({ isDisabled }: { isDisabled: boolean }) {
  const limit = slippage.value;
  const [typed, setTyped] = useState(usual.includes(limit) ? "" : limit);
  const isWrong = typedSlippage(typed) === undefined;
  /** The limit before one typed: what is no limit at the end must not leave its beginning, such as the 6 of 60. */
  const previous = useRef(limit);
  return (
    <div class="slippage">
      <span class="muted">{t.trade.slippageLimit}</span>
      <span class="slippage-limits">
        <Choices
          label={t.trade.slippagePercent}
          value={limit}
          isDisabled={isDisabled}
          choices={usual.map((value) => ({ value, label: `${value}%` }))}
          onChange={(value) => {
            setTyped("");
            slippage.value = value;
          }}
        />
        <label class={`own-value slippage-own ${typed !== "" && !isWrong ? "is-chosen" : ""}`}>
          <span class="visually-hidden">{t.trade.otherSlippage}</span>
          <input
            inputMode="decimal"
            autocomplete="off"
            placeholder={t.trade.other}
            value={typed}
            disabled={isDisabled}
            aria-invalid={isWrong}
            onFocus={() => {
              previous.current = slippage.peek();
            }}
            // It ends what is typed here. The trade is another step.
            onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
            onInput={(event) => {
              const text = event.currentTarget.value;
              setTyped(text);
              // An empty field is no limit of one's own: the last one, of which nothing is to be seen, must not stay.
              slippage.value = typedSlippage(text) ?? previous.current;
            }}
          />
          %
        </label>
      </span>
      {(isWrong || Number(limit) >= highPercent) && (
        <p class="slippage-note" role="status">
          {isWrong ? t.trade.wrongSlippage(limit) : t.trade.highSlippage}
        </p>
      )}
    </div>
  );
}

/** On a narrow screen: buttons that stay at the bottom, and open the trade's form from there. */
function TradeSheet({ trade, children }: { trade: TradeState; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = (side: Side) => {
    trade.setSide(side);
    setIsOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      <section class="trade-bar" aria-label={t.trade.title}>
        {/* A trade goes on when the sheet is closed. */}
        {!isOpen && <StatusLine status={trade.status.value} chain={trade.chainId} />}
        <div class="trade-bar-buttons">
          <button type="button" class="button is-buy" aria-haspopup="dialog" onClick={() => open("buy")}>
            {t.common.buy}
          </button>
          <button type="button" class="button is-sell" aria-haspopup="dialog" onClick={() => open("sell")}>
            {t.common.sell}
          </button>
        </div>
      </section>
      <dialog
        ref={dialog}
        class="trade trade-sheet"
        aria-labelledby="trade-title"
        closedby="any"
        onClose={() => setIsOpen(false)}
      >
        <div class="trade-sheet-head">
          <h2 id="trade-title">{t.trade.titleOf(<bdi>{displaySymbol(trade.token.symbol)}</bdi>)}</h2>
          <form method="dialog">
            <IconButton icon="close" label={t.common.close} type="submit" />
          </form>
        </div>
        {children}
      </dialog>
    </>
  );
}
