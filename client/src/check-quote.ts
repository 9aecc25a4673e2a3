import type { Quote } from "./trade-calls.ts";

/** The trade that was requested, before the quote came. */
export type AskedTrade = {
  mint: string;
  side: "buy" | "sell";
  /** Wei for a buy, base units of the token for a sell. */
  amountIn: bigint;
  /** The account that signs, and that gets the proceeds. */
  account: string;
  /** The percentage by which the outcome may be worse than quoted. */
  slippagePercent: number;
  /** The latest acceptable deadline, in seconds since 1970. */
  latestDeadline?: number;
};

/** Where a chain's trades go. It must come from another source than the quote. */
export type TradeContracts = {
  chainId: number;
  launchpad: string;
  /** The DEX router, which is `router()` of the launchpad. Needed for graduated tokens. */
  router?: string | undefined;
};

type Transaction = NonNullable<Quote["transaction"]>;
type Approval = NonNullable<Quote["approval"]>;
type Permit = NonNullable<Quote["permit"]>;

/**
 * Says what in a quote is not as requested, or in the bytes of its transactions and in its permit not as quoted: "another token". Returns
 * undefined if nothing is. Call it before a transaction or the permit is signed: it finds an answer that was altered on its way.
 */
export function findContradiction(
  quote: Quote,
  asked: AskedTrade,
  contracts: TradeContracts,
): string | undefined {
  return (
    findTransactionContradiction(quote, asked, contracts) ??
    unlessMalformed(() => findPermitContradiction(quote, asked, contracts))
  );
}

/** Like {@link findContradiction}, without the permit: for a program that writes the one that is signed itself. */
export function findTransactionContradiction(
  quote: Quote,
  asked: AskedTrade,
  contracts: TradeContracts,
): string | undefined {
  return unlessMalformed(() => contradictionOf(quote, asked, contracts));
}

function unlessMalformed(compare: () => string | undefined): string | undefined {
  try {
    return compare();
  } catch {
    return "a malformed quote";
  }
}

function contradictionOf(quote: Quote, asked: AskedTrade, contracts: TradeContracts): string | undefined {
  const { transaction, approval, venue } = quote;
  const isBuy = asked.side === "buy";
  const amountIn = BigInt((isBuy ? quote.amountInWei : quote.amountInRaw) ?? 0);
  const amountOut = BigInt((isBuy ? quote.amountOutRaw : quote.amountOutWei) ?? 0);
  const minimum = BigInt((isBuy ? quote.minAmountOutRaw : quote.minAmountOutWei) ?? 0);

  const isForToken = sameAddress(quote.mint, asked.mint) && quote.side === asked.side;
  if (!isForToken || amountIn !== asked.amountIn) return "another trade";
  if (quote.chainId !== contracts.chainId) return "another chain";
  if (minimum * 10_000n < amountOut * (10_000n - BigInt(Math.round(asked.slippagePercent * 100)))) {
    return "more slippage";
  }
  // With a refund below zero, a minimum of next to nothing would count as the quoted one.
  const refund = BigInt(quote.refundWei);
  if (refund < 0n || refund > (isBuy ? amountIn : 0n)) return "another refund";
  if (transaction === null) return "no transaction";
  const sent = findEnvelopeContradiction(transaction, asked, contracts);
  if (sent !== undefined) return sent;

  const target = venue === "curve" ? contracts.launchpad : contracts.router;
  if (target === undefined || !sameAddress(transaction.to, target)) return "another contract";
  if (BigInt(transaction.value) !== (isBuy ? asked.amountIn : 0n)) return "another amount of BNB";
  const permitted =
    venue === "curve" && !isBuy ? readCall(transaction.data, calls["sell with permit"]) : undefined;
  const call = permitted ?? readCall(transaction.data, calls[`${venue} ${asked.side}`]);
  if (call === undefined) return "another function";
  const { token, amount, limit, deadline, recipient } = call;
  if (token !== BigInt(asked.mint)) return "another token";
  if (amount !== undefined && amount !== asked.amountIn) return "another amount";
  if (recipient !== undefined && recipient !== BigInt(asked.account)) return "another recipient";
  if (limit !== minimum && limitWithoutRefund(limit ?? 0n, quote) !== minimum) return "another minimum";
  if (deadline !== BigInt(quote.deadline)) return "another deadline";
  if (quote.deadline > (asked.latestDeadline ?? Number.POSITIVE_INFINITY)) return "a later deadline";

  if ((isBuy || permitted !== undefined) !== (approval === null)) return "an approval too many or too few";
  return approval === null ? undefined : findApprovalContradiction(approval, target, asked, contracts);
}

function findPermitContradiction(
  quote: Quote,
  asked: AskedTrade,
  contracts: TradeContracts,
): string | undefined {
  const { permit, venue } = quote;
  if (!permit) return undefined;
  const isFor = asked.side === "sell" && venue === "curve" && isPermitFor(permit, quote, asked, contracts);
  return isFor ? undefined : "another permit";
}

const permitTypes = {
  EIP712Domain: "string name,string version,uint256 chainId,address verifyingContract",
  Permit: "address owner,address spender,uint256 value,uint256 nonce,uint256 deadline",
};

/** Whether the typed data lets the launchpad take these tokens and no others. The token itself refuses another nonce. */
function isPermitFor(
  { domain, types, primaryType, message }: Permit,
  { deadline }: Quote,
  asked: AskedTrade,
  { chainId, launchpad }: TradeContracts,
): boolean {
  const fieldsOf = (fields: { name: string; type: string }[]) =>
    fields.map(({ name, type }) => `${type} ${name}`).join(",");
  return (
    primaryType === "Permit" &&
    Object.keys(types).length === 2 &&
    fieldsOf(types.EIP712Domain) === permitTypes.EIP712Domain &&
    fieldsOf(types.Permit) === permitTypes.Permit &&
    domain.chainId === chainId &&
    sameAddress(domain.verifyingContract, asked.mint) &&
    sameAddress(message.owner, asked.account) &&
    sameAddress(message.spender, launchpad) &&
    BigInt(message.value) === asked.amountIn &&
    BigInt(message.deadline) === BigInt(deadline)
  );
}

function findApprovalContradiction(
  approval: Approval,
  spender: string,
  asked: AskedTrade,
  contracts: TradeContracts,
): string | undefined {
  if (!sameAddress(approval.to, asked.mint)) return "an approval of another token";
  if (BigInt(approval.value) !== 0n) return "another amount of BNB";
  const call = readCall(approval.data, calls.approve);
  if (call === undefined) return "an approval with another function";
  if (call.spender !== BigInt(spender)) return "an approval for another contract";
  if (call.amount !== asked.amountIn) return "an approval of another amount";
  return findEnvelopeContradiction(approval, asked, contracts);
}

/** Compares what surrounds a call, and both forms in which the quote has the transaction. */
function findEnvelopeContradiction(
  { to, data, value, chainId, rpc }: Transaction | Approval,
  asked: AskedTrade,
  contracts: TradeContracts,
): string | undefined {
  if (chainId !== contracts.chainId || Number(rpc.chainId) !== chainId) return "another chain";
  if (!sameAddress(rpc.from, asked.account)) return "another account";
  const isSame = sameAddress(rpc.to, to) && rpc.data === data && BigInt(rpc.value) === BigInt(value);
  return isSame ? undefined : "two transactions in one";
}

/**
 * Scales a limit for all that is paid in to the part that is not refunded, if the curve ends within the buy. Rounded up, as in the
 * contract.
 */
function limitWithoutRefund(limit: bigint, { amountInWei = "0", refundWei }: Quote): bigint {
  const paid = BigInt(amountInWei);
  return paid === 0n ? limit : (limit * (paid - BigInt(refundWei)) + paid - 1n) / paid;
}

/** The words of a call's data: arguments by what they hold, and numbers where exactly that number must be. */
type Layout = [selector: string, ...words: (Argument | number)[]];
type Argument =
  | "token"
  | "amount"
  | "limit"
  | "deadline"
  | "recipient"
  | "spender"
  | "wbnb"
  | "v"
  | "r"
  | "s";

const calls = {
  /** buy(address,uint256,uint256) */
  "curve buy": ["0xa59ac6dd", "token", "limit", "deadline"],
  /** sell(address,uint256,uint256,uint256) */
  "curve sell": ["0x92cdbac5", "token", "amount", "limit", "deadline"],
  /** sellWithPermit(address,uint256,uint256,uint256,uint8,bytes32,bytes32) */
  "sell with permit": ["0x4c33aa2e", "token", "amount", "limit", "deadline", "v", "r", "s"],
  /** swapExactETHForTokens(uint256,address[],address,uint256). The path's first token must be WBNB, which the router checks. */
  "dex buy": ["0x7ff36ab5", "limit", 128, "recipient", "deadline", 2, "wbnb", "token"],
  /** swapExactTokensForETH(uint256,uint256,address[],address,uint256) */
  "dex sell": ["0x18cbafe5", "amount", "limit", 160, "recipient", "deadline", 2, "token", "wbnb"],
  /** approve(address,uint256) */
  approve: ["0x095ea7b3", "spender", "amount"],
} satisfies Record<string, Layout>;

/** Reads the arguments of a call. Undefined for another function, and for any but the usual encoding. */
function readCall(data: string, layout: readonly (string | number)[]) {
  const [selector, ...names] = layout;
  if (data.slice(0, 10) !== selector || data.length !== 10 + 64 * names.length) return undefined;
  const values: Partial<Record<Argument, bigint>> = {};
  for (const [at, name] of names.entries()) {
    const value = BigInt(`0x${data.slice(10 + 64 * at, 74 + 64 * at)}`);
    if (typeof name === "string") values[name as Argument] = value;
    else if (value !== BigInt(name)) return undefined;
  }
  return values;
}

const sameAddress = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase();
