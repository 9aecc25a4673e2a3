import { useEffect, useRef, useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { fromUnits, parseAmount } from "../format/number.ts";
import { displaySymbol } from "../format/text.ts";
import { Understood } from "../parts/amount.tsx";
import { Choices } from "../parts/choices.tsx";
import { ConfirmLoss } from "../parts/loss.tsx";
import { account } from "../wallet/account.ts";
import { chainName, switchChain } from "../wallet/chain.ts";
import { walletChain } from "../wallet/connection.ts";
import { explain } from "../wallet/explain.ts";
import { createStatus } from "../wallet/run-steps.ts";
import { StatusLine } from "../wallet/status-line.tsx";
import { WalletButton } from "../wallet/wallet-button.tsx";
import type { TokenDetails } from "./data.ts";
import { Position, usePosition } from "./position.tsx";
import { QuoteLines, tradeLoss } from "./quote-lines.tsx";
import { sendTrade } from "./send-trade.ts";
import { useQuote } from "./use-quote.ts";

const slippages = ["0.5", "1", "3", "10"] as const;
type Side = "buy" | "sell";

/** A confirmation holds for these terms, while the loss doesn't grow by more than a hundredth. */
type Confirming = { of: string; bnb: number };
const maxGrowth = 1.01;

/** Buys and sells with the visitor's wallet. The service builds the transaction, the page checks it, and the wallet signs it. */
export function Trade({ token }: { token: TokenDetails }) {
  const [side, setSide] = useState<Side>("buy");
  const [amount, setAmount] = useState("");
  const [slippage, setSlippage] = useState<(typeof slippages)[number]>("1");
  const [confirming, setConfirming] = useState<Confirming>();
  const [status] = useState(createStatus);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const { mint, priceBnb } = token;
  const tokenChain = token.chainId as 56 | 97;
  const owner = account.value;
  const typed = parseAmount(amount);
  const { units } = typed;
  const position = usePosition(mint, owner);
  const held = BigInt(position.data.value?.holding?.balanceRaw ?? "0");
  const { quote, problem, isCurrent } = useQuote({
    ...{ mint, chainId: tokenChain, side, units, slippage, owner, priceBnb },
  });

  const isWorking = status.value.kind === "working";
  const isOtherChain = owner !== undefined && walletChain.value !== tokenChain;
  const verb = side === "buy" ? "Buy" : "Sell";
  const unit = side === "buy" ? coin.value : displaySymbol(token.symbol);
  const tooLow = quote?.warnings.some(({ code }) => code === "balance_too_low") === true;
  const hasAmount = units !== undefined && units > 0n;
  const canTrade =
    hasAmount && quote?.transaction != null && isCurrent && !isWorking && !tooLow && !isOtherChain;
  const loss = quote !== undefined && hasAmount ? tradeLoss(quote, token) : undefined;
  const terms = [mint, tokenChain, side, units, slippage, owner].join();
  const isConfirming =
    loss !== undefined && confirming?.of === terms && loss.bnb <= confirming.bnb * maxGrowth;

  const trade = async () => {
    // Two clicks may come before the page is drawn again.
    if (!canTrade || owner === undefined || status.peek().kind === "working") return;
    setConfirming(undefined);
    const order = {
      ...{ mint, chainId: tokenChain, side, amountIn: units, account: owner },
      slippagePercent: Number(slippage),
    };
    const receipt = await sendTrade(status, { quote, order, isShown: () => isShown.current });
    if (receipt === undefined) return;
    status.value = { kind: "done", text: side === "buy" ? "Bought." : "Sold." };
    setAmount("");
    await position.readSince(Number(receipt.blockNumber));
  };
  const submit = () => {
    if (loss === undefined) void trade();
    else if (canTrade) setConfirming({ of: terms, bnb: loss.bnb });
  };
  const change = async () => {
    try {
      await switchChain(tokenChain);
      status.value = { kind: "idle" };
    } catch (error) {
      status.value = { kind: "failed", text: explain(error) };
    }
  };

  const quick =
    side === "buy"
      ? ["0.001", "0.01", "0.05"].map((value) => ({ label: `${value} ${coin.value}`, value }))
      : [25n, 50n, 100n].map((part) => ({ label: `${part}%`, value: fromUnits((held * part) / 100n) }));
  return (
    <section class="panel trade" aria-labelledby="trade-title">
      <h2 id="trade-title" class="visually-hidden">
        Trade
      </h2>
      <Choices
        label="Side"
        value={side}
        isDisabled={isWorking}
        choices={[
          { value: "buy", label: "Buy" },
          { value: "sell", label: "Sell" },
        ]}
        onChange={(value) => {
          setSide(value);
          setAmount("");
          status.value = { kind: "idle" };
        }}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label class="field">
          <span>{side === "buy" ? "You pay" : "You sell"}</span>
          <span class="field-row">
            <input
              inputMode="decimal"
              autocomplete="off"
              placeholder="0"
              value={amount}
              readOnly={isWorking}
              aria-invalid={typed.problem !== undefined}
              onInput={(event) => setAmount(event.currentTarget.value)}
            />
            <span class="field-unit">
              <bdi>{unit}</bdi>
            </span>
          </span>
        </label>
        <div class="quick">
          {quick.map(({ label, value }) => (
            <button
              key={label}
              type="button"
              class="quick-button"
              disabled={isWorking || (side === "sell" && held === 0n)}
              onClick={() => setAmount(value)}
            >
              {label}
            </button>
          ))}
        </div>
        <Understood units={units} unit={unit} usdEach={usdEach(side, token)} />
        {(typed.problem ?? (isCurrent ? problem : undefined)) !== undefined && (
          <p class="down small-text" role="alert">
            {typed.problem ?? problem}
          </p>
        )}
        {quote !== undefined && hasAmount && (
          <QuoteLines quote={quote} symbol={token.symbol} isCurrent={isCurrent} />
        )}
        <div class="slippage">
          <span class="muted">Slippage limit</span>
          <Choices
            label="Slippage in percent"
            value={slippage}
            isDisabled={isWorking}
            choices={slippages.map((value) => ({ value, label: `${value}%` }))}
            onChange={setSlippage}
          />
        </div>
        {owner === undefined ? (
          <WalletButton primary />
        ) : isOtherChain ? (
          <button type="button" class="button is-primary is-wide" onClick={() => void change()}>
            Switch the wallet to {chainName(tokenChain)}
          </button>
        ) : isConfirming ? (
          <ConfirmLoss
            loss={loss}
            verb={verb}
            isReady={canTrade}
            onConfirm={() => void trade()}
            onCancel={() => setConfirming(undefined)}
          />
        ) : (
          <button type="submit" class="button is-primary is-wide" disabled={!canTrade}>
            {verb}
          </button>
        )}
      </form>
      {isOtherChain && (
        <p class="small-text" role="status">
          Your wallet is on {chainName(walletChain.value ?? 0)}; this token is on {chainName(tokenChain)}.
        </p>
      )}
      <StatusLine status={status.value} chain={tokenChain} />
      {owner !== undefined && <Position position={position.data.value} symbol={token.symbol} />}
    </section>
  );
}

/** USD for one of what is paid in, at the price that the page shows. */
function usdEach(side: Side, { priceBnb, priceUsd }: TokenDetails): number | undefined {
  if (priceUsd === undefined) return undefined;
  return side === "buy" ? Number(priceUsd) / Number(priceBnb) : Number(priceUsd);
}
