import { useEffect, useMemo, useState } from "preact/hooks";
import { chainId, coin } from "../data/chain.ts";
import { client } from "../data/client.ts";
import { fromUnits, toUnits } from "../format/number.ts";
import { displaySymbol } from "../format/text.ts";
import { Choices } from "../parts/choices.tsx";
import { account } from "../wallet/account.ts";
import { chainName, switchChain } from "../wallet/chain.ts";
import { walletChain } from "../wallet/connection.ts";
import { explain } from "../wallet/explain.ts";
import { createStatus, runTransaction } from "../wallet/run-steps.ts";
import { StatusLine } from "../wallet/status-line.tsx";
import { WalletButton } from "../wallet/wallet-button.tsx";
import type { TokenDetails } from "./data.ts";
import { Position, usePosition } from "./position.tsx";
import { type Quote, QuoteLines, toRpcCalls } from "./quote-lines.tsx";

/** A quote is requested this long after the last keystroke. */
const debounceMs = 250;
const slippages = ["0.5", "1", "3", "10"] as const;
type Side = "buy" | "sell";

type Quoted = { quote: Quote; of: string } | { problem: string; of: string };

/** Buys and sells with the visitor's wallet. The service builds the transaction, and the wallet signs it. */
export function Trade({ token }: { token: TokenDetails }) {
  const [side, setSide] = useState<Side>("buy");
  const [amount, setAmount] = useState("");
  const [slippage, setSlippage] = useState<(typeof slippages)[number]>("1");
  const [quoted, setQuoted] = useState<Quoted>();
  const [status] = useState(createStatus);
  const { mint, chainId: tokenChain } = token;
  const owner = account.value;
  const units = toUnits(amount);
  const position = usePosition(mint, owner);
  const held = BigInt(position.data.value?.holding?.balanceRaw ?? "0");

  // Everything that a quote depends on, including the current price.
  const terms = useMemo(
    () => JSON.stringify([mint, side, String(units), slippage, owner, token.priceBnb]),
    [mint, side, units, slippage, owner, token.priceBnb],
  );
  useEffect(() => {
    if (units === undefined || units === 0n) {
      setQuoted(undefined);
      return;
    }
    let isStale = false;
    const timer = setTimeout(async () => {
      try {
        const query = { side, amount: String(units), slippage: Number(slippage), chainId: chainId.peek() };
        const { quote } = await client.quote(mint, { ...query, account: owner });
        if (!isStale) setQuoted({ quote, of: terms });
      } catch (error) {
        if (!isStale) setQuoted({ problem: explain(error), of: terms });
      }
    }, debounceMs);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [terms]);

  const quote = quoted !== undefined && "quote" in quoted ? quoted.quote : undefined;
  const isCurrent = quoted?.of === terms;
  const isWorking = status.value.kind === "working";
  const isOtherChain = owner !== undefined && walletChain.value !== tokenChain;
  const verb = side === "buy" ? "Buy" : "Sell";
  const tooLow = quote?.warnings.some(({ code }) => code === "balance_too_low") === true;

  const trade = async () => {
    if (quote?.transaction === null || quote === undefined) return;
    const calls = toRpcCalls(quote);
    for (const [at, call] of calls.entries()) {
      const what = at < calls.length - 1 ? "approval" : side === "buy" ? "buy" : "sale";
      const receipt = await runTransaction(status, what, call);
      if (receipt === undefined) return;
      if (at < calls.length - 1) continue;
      status.value = { kind: "done", text: side === "buy" ? "Bought." : "Sold." };
      setAmount("");
      await position.readSince(Number(receipt.blockNumber));
    }
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
          void trade();
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
              maxLength={60}
              aria-invalid={amount !== "" && units === undefined}
              onInput={(event) => setAmount(event.currentTarget.value)}
            />
            <span class="field-unit">
              {side === "buy" ? coin.value : <bdi>{displaySymbol(token.symbol)}</bdi>}
            </span>
          </span>
        </label>
        <div class="quick">
          {quick.map(({ label, value }) => (
            <button
              key={label}
              type="button"
              class="quick-button"
              disabled={side === "sell" && held === 0n}
              onClick={() => setAmount(value)}
            >
              {label}
            </button>
          ))}
        </div>
        {amount !== "" && units === undefined && (
          <p class="down small-text" role="alert">
            Enter a number with at most 18 decimals.
          </p>
        )}
        {quoted !== undefined && "problem" in quoted && isCurrent && (
          <p class="down small-text" role="alert">
            {quoted.problem}
          </p>
        )}
        {quote !== undefined && units !== undefined && units > 0n && (
          <QuoteLines quote={quote} symbol={token.symbol} isCurrent={isCurrent} />
        )}
        <div class="slippage">
          <span class="muted">Slippage limit</span>
          <Choices
            label="Slippage in percent"
            value={slippage}
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
        ) : (
          <button
            type="submit"
            class="button is-primary is-wide"
            disabled={
              quote === undefined || !isCurrent || isWorking || tooLow || !(units !== undefined && units > 0n)
            }
          >
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
