import { useEffect, useRef, useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { useReloadEvery, useResource } from "../data/resource.ts";
import { slippage } from "../data/settings.ts";
import { formatDown, formatNumber, fromUnits, parseAmount } from "../format/number.ts";
import { displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { askWallet } from "../wallet/chain.ts";
import { account, connected, walletChain } from "../wallet/connection.ts";
import { createStatus } from "../wallet/run-steps.ts";
import type { Events, TokenDetails } from "./data.ts";
import { usePosition } from "./position.tsx";
import { tradeLoss } from "./quote-lines.tsx";
import { outcomeText, sendTrade } from "./send-trade.ts";
import { explainQuote, hasTooLittle, keyOf, type Quote, useQuote } from "./use-quote.ts";

export type Side = "buy" | "sell";
export type TradeState = ReturnType<typeof useTrade>;

/** A confirmation holds for these terms, while the loss doesn't grow by more than a hundredth. */
type Confirming = { of: string; bnb: number };
const maxGrowth = 1.01;

/** What the visitor is about to trade, and the steps of doing so. */
export function useTrade(token: TokenDetails, events: Events) {
  const [side, setSide] = useState<Side>("buy");
  const [amount, setAmount] = useState("");
  const [confirming, setConfirming] = useState<Confirming>();
  const [status] = useState(createStatus);
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const { mint, priceBnb } = token;
  const chainId = token.chainId as 56 | 97;
  const owner = account.value;
  const typed = parseAmount(amount);
  const { units } = typed;
  const unit = side === "buy" ? coin.value : displaySymbol(token.symbol);
  const position = usePosition(mint, owner, events);
  const { holding, nativeBalanceBnb } = position.data.value ?? {};
  const held = position.data.value === undefined ? undefined : BigInt(holding?.balanceRaw ?? "0");
  const bnb = nativeBalanceBnb == null ? undefined : parseAmount(nativeBalanceBnb).units;
  const reserve = gasReserve(useGasPrice());
  const spent = side === "buy" ? spendable(bnb, reserve) : spendable(held);
  const available = owner === undefined ? undefined : spent;

  const terms = { mint, chainId, side, units, slippage: slippage.value, owner };
  const quoting = useQuote(terms, { priceBnb, unit });
  const { quote } = quoting;
  const isWorking = status.value.kind === "working";
  const isOtherChain = owner !== undefined && walletChain.value !== chainId;
  const hasAmount = units !== undefined && units > 0n;
  const isTooMuch =
    hasAmount &&
    (available === undefined ? quoting.isForTerms && hasTooLittle(quote) : units > available.balance);
  const problem =
    typed.problem ?? (isTooMuch ? tooLittle(unit, available?.balance) : undefined) ?? quoting.problem;
  // A quote need not be there yet: the click asks for one.
  const canTrade = hasAmount && !isTooMuch && !quoting.isRefused && !isWorking && !isOtherChain;
  const loss = quote !== undefined && hasAmount ? tradeLoss(quote, token) : undefined;
  const termsKey = keyOf(terms);
  const isConfirming =
    loss !== undefined && confirming?.of === termsKey && loss.bnb <= confirming.bnb * maxGrowth;

  const fail = (text: string) => {
    status.value = { kind: "failed", text };
    return undefined;
  };

  /** A fresh quote that the visitor has agreed to by this click; undefined if it has to be asked first, or fails. */
  const agreedQuote = async (): Promise<Quote | undefined> => {
    const seen = quoting.isForTerms ? quote : undefined;
    let fresh: Quote;
    try {
      fresh = await quoting.ask();
    } catch (error) {
      return fail(explainQuote(error, unit));
    }
    if (!isShown.current) return undefined;
    if (hasTooLittle(fresh)) return fail(tooLittle(unit, available?.balance));
    const lost = tradeLoss(fresh, token);
    const isAccepted = isConfirming && confirming !== undefined && lost !== undefined;
    if (lost !== undefined && !(isAccepted && lost.bnb <= confirming.bnb * maxGrowth)) {
      status.value = { kind: "idle" };
      setConfirming({ of: termsKey, bnb: lost.bnb });
      return undefined;
    }
    if (seen !== undefined && outOf(fresh) < leastOf(seen)) {
      const [now = "", before = ""] = [fresh, seen].map((one) => formatNumber(fromUnits(outOf(one)), 6));
      return fail(t.trade.priceMoved(now, before));
    }
    return fresh;
  };

  const trade = async () => {
    // Two clicks may come before the page is drawn again.
    if (!canTrade || owner === undefined || status.peek().kind === "working") return;
    status.value = { kind: "working", text: t.trade.askingPrice };
    const agreed = await agreedQuote();
    if (agreed === undefined) return;
    setConfirming(undefined);
    const order = {
      mint,
      chainId,
      side,
      amountIn: units,
      account: owner,
      slippagePercent: Number(slippage.peek()),
    };
    const receipt = await sendTrade(status, { quote: agreed, order, isShown: () => isShown.current });
    if (receipt === undefined) return;
    status.value = { kind: "done", text: outcomeText(receipt, side, token), hash: receipt.transactionHash };
    setAmount("");
    await position.readSince(Number(receipt.blockNumber));
  };

  return {
    token,
    side,
    amount,
    units,
    unit,
    problem,
    available,
    reserve,
    status,
    position,
    quote: hasAmount ? quote : undefined,
    isCurrent: quoting.isCurrent,
    loss,
    isConfirming,
    canTrade,
    isWorking,
    isOtherChain,
    owner,
    chainId,
    trade,
    setAmount,
    cancel: () => setConfirming(undefined),
    setSide(next: Side): void {
      if (isWorking || next === side) return;
      setSide(next);
      setAmount("");
      status.value = { kind: "idle" };
    },
  };
}

const tooLittle = (unit: string, balance: bigint | undefined) =>
  balance === undefined ? t.trade.tooLittle(unit) : t.trade.lessThanThis(formatDown(balance, 6), unit);

const outOf = (quote: Quote) => BigInt(quote.amountOutRaw ?? quote.amountOutWei ?? "0");
const leastOf = (quote: Quote) => BigInt(quote.minAmountOutRaw ?? quote.minAmountOutWei ?? "0");

/** How often the gas price is read again, in milliseconds. */
const gasPriceMs = 15_000;

/** The gas price on the wallet's chain, in wei; 0 while it isn't known. */
function useGasPrice(): bigint {
  const price = useResource(`gas price ${walletChain.value}`, async () => {
    const provider = connected.peek()?.provider;
    return provider && BigInt(String(await askWallet(provider, "eth_gasPrice")));
  });
  useReloadEvery(gasPriceMs, price);
  return price.data.value ?? 0n;
}

/** The gas limit of a buy, as in the service's quotes. */
const buyGas = 400_000n;
const minReserve = 10n ** 15n;

/** What a buy leaves for gas, in wei: twice what it may cost now, since the price may rise, and at least 0.001 BNB. */
function gasReserve(gasPrice: bigint): bigint {
  const cost = 2n * buyGas * gasPrice;
  return cost > minReserve ? cost : minReserve;
}

/** What an account can pay in, in base units, and the most of it that leaves a reserve; undefined while it isn't known. */
const spendable = (balance: bigint | undefined, reserve = 0n) =>
  balance === undefined ? undefined : { balance, most: balance > reserve ? balance - reserve : 0n };

/** BNB amounts that the page fills in have at most six decimals, so that they can be read. */
const bnbStep = 10n ** 12n;

/** A share of what can be paid in, as text for the field. Shares of tokens are exact: nothing is left of all of them. */
export function shareOf(side: "buy" | "sell", most: bigint, percent: bigint): string {
  const share = (most * percent) / 100n;
  return fromUnits(side === "buy" ? share - (share % bnbStep) : share);
}
