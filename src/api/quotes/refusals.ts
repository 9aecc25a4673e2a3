import type { ChainSettings } from "../../../config/env.ts";
import type { Refusal, Side } from "../../domain/quote.ts";
import { invalidParameter, type Problem, ProblemException } from "../http/problem.ts";

type RefusedTrade = {
  venue: "curve" | "dex";
  mint: string;
  side: Side;
  /** The largest amount that the trade may have. */
  maxAmount: bigint;
};

/** The problem for a trade that the chain would revert. */
export function notTradable(why: Refusal, trade: RefusedTrade): ProblemException {
  return new ProblemException({ status: 422, ...problemFor[why](trade) });
}

const problemFor: Record<Refusal, (trade: RefusedTrade) => Omit<Problem, "status">> = {
  no_liquidity: ({ venue, mint }) => ({
    code: "no_liquidity",
    detail:
      venue === "curve"
        ? `The curve of ${mint} is not open, or has nothing left to trade with.`
        : `The DEX pair of ${mint} has no liquidity.`,
  }),
  too_small: ({ side }) =>
    amountProblem("amount_too_small", `is too small: the ${side} would bring nothing and revert`),
  too_large: ({ venue, side, maxAmount }) =>
    amountProblem(
      "amount_too_large",
      side === "sell"
        ? `must be at most ${maxAmount}: nobody can hold more of the token outside the ${venue === "curve" ? "launchpad" : "DEX pair"}`
        : `must be at most ${maxAmount}: the DEX pair can't take more`,
    ),
};

function amountProblem(code: "amount_too_small" | "amount_too_large", message: string) {
  return { code, detail: `amount ${message}`, errors: [{ path: "amount", message }] };
}

/** The problem for a chain whose launchpad names no DEX that we support. */
export function dexNotSupported({ id, launchpad }: ChainSettings): ProblemException {
  return new ProblemException({
    status: 422,
    code: "dex_not_supported",
    title: "DEX not supported",
    detail: `The token has graduated, and the launchpad ${launchpad} of chain ${id} names no Uniswap V2 router with router(), so trades on its DEX can't be quoted here.`,
  });
}

/** The problem for a chain whose contracts can't create a token with a first buy. */
export function firstBuyNotSupported({ id, launchpad }: ChainSettings): ProblemException {
  return new ProblemException({
    status: 422,
    code: "first_buy_not_supported",
    detail: `The contracts of chain ${id} have no createTokenAndBuy: their launchpad ${launchpad} has no openingTerms(uint8). Create the token first, and buy with GET /api/curve/{mint}/quote.`,
  });
}

/** The problem for an account that the pair would refuse to pay, or that would lose what it receives. */
export function invalidRecipient(): ProblemException {
  const message =
    "must be an account that can receive: not zero, the token, its pair, wrapped BNB, the router or the launchpad";
  return invalidParameter("account", message);
}

/** The problem for a deadline that has passed. Both times are in seconds since 1970. */
export function deadlinePassed(deadline: bigint, blockTime: number): ProblemException {
  return invalidParameter(
    "deadline",
    `has passed: ${deadline} is before the chain's last block (${blockTime})`,
  );
}
