import type { Hex } from "viem";
import { checkpointBlock, checkpointTime } from "../../../config/parse.ts";
import type { ChainClients } from "../chain/chain-client.ts";
import type { Chains } from "../chain/chains.ts";
import { createDexTermsReader } from "../chain/dex-terms.ts";
import { unknownToken } from "../chain/not-found.ts";
import { askChain } from "../concurrency/read-lanes.ts";
import type { Database } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { readQuoteState } from "../market/quote-state.query.ts";
import { createAccountCheck, simulateQuote } from "./check-account.ts";
import { createOpeningTerms } from "./opening-terms.ts";
import { createPermitReader, isSignedBy, type Permit } from "./permit.ts";
import { toQuote } from "./quote.mapper.ts";
import { defaultDeadlineSeconds, quoteRoute } from "./quote.routes.ts";
import type { QuoteWarning } from "./quote.schema.ts";
import { quoteTrade } from "./quote-trade.ts";
import { deadlinePassed } from "./refusals.ts";

export type QuoteDeps = { chains: Chains; db: Database; getClient: ChainClients };

export function createQuote({ chains, db, getClient }: QuoteDeps) {
  const readDexTerms = createDexTermsReader(getClient);
  const readOpeningTerms = createOpeningTerms(getClient);
  const checkAccount = createAccountCheck();
  const readPermit = createPermitReader();

  return createRouter().openapi(quoteRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const {
      side,
      amount: amountIn,
      slippage,
      account,
      deadline: wantedDeadline,
      signature,
      chainId,
      simulation: isSimulated,
    } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const row = await readQuoteState(db, { chainId: chain.id, mint, account });
    if (row === undefined) throw unknownToken(mint, chain.id);

    const blockTime = checkpointTime(row.latest_checkpoint);
    const deadline = BigInt(wantedDeadline ?? defaultDeadline(blockTime));
    if (deadline < blockTime) throw deadlinePassed(deadline, blockTime);
    const request = { mint, side, amountIn, slippage, deadline, account, signature };
    const tokens = BigInt(row.balance_raw ?? 0);
    const { quote, warnings, permit, simulation } = await askChain(c, async () => {
      const quote = await quoteTrade({ chain, readDexTerms, readOpeningTerms }, row, request);
      if (account === undefined) return { quote, warnings: [], permit: null, simulation: undefined };
      const isOnCurve = quote.venue === "curve";
      const isPermitted = isOnCurve && signature !== undefined;
      const spender = isPermitted ? chain.launchpad : quote.approval?.spender;
      const checked = await checkAccount(chain, { ...request, account, tokens, spender });
      const needsPermit = isOnCurve && checked.some(({ code }) => code === "allowance_too_low");
      const toSign = needsPermit ? await readPermit(chain, { ...request, account }) : null;
      const { warnings, permit } = isPermitted
        ? await checkPermit(checked, toSign, signature)
        : { warnings: checked, permit: toSign };
      const simulation =
        isSimulated === undefined
          ? undefined
          : await simulateQuote(getClient(chain), quote, { account, warnings });
      return { quote, warnings, permit, simulation };
    });

    const context = {
      ...request,
      chainId: chain.id,
      balance: side === "sell" && account !== undefined ? (row.balance_raw ?? "0") : null,
      warnings,
      permit,
      simulation,
      bnbUsdX8: row.bnb_usd_x8 === null ? null : BigInt(row.bnb_usd_x8),
      block: checkpointBlock(row.latest_checkpoint),
    };
    return c.json(toQuote(quote, context), 200);
  });
}

/**
 * Replaces the warning that the allowance is too low: a signature of the permit gives the allowance, and any other one doesn't.
 *
 * @param permit what the signature must be of. Null: not known, or the allowance is enough
 */
async function checkPermit(warnings: QuoteWarning[], permit: Permit | null, signature: Hex) {
  const others = warnings.filter(({ code }) => code !== "allowance_too_low");
  if (permit === null) {
    const isNeeded = others.length < warnings.length;
    return { warnings: isNeeded ? [...others, permitNotChecked] : others, permit };
  }
  if (await isSignedBy(permit, signature)) return { warnings: others, permit: null };
  return { warnings: [...others, permitNotValid], permit };
}

const permitNotChecked: QuoteWarning = {
  code: "account_not_checked",
  message:
    "The token's permit can't be read from the chain, so that it is not known whether the signature is valid: ask again, or leave signature out and send approval first.",
};

const permitNotValid: QuoteWarning = {
  code: "permit_not_valid",
  message:
    "The signature is not the account's of a permit for this amount and deadline, or has been used already: sign permit, and repeat the request with that signature.",
};

/**
 * Counts from our own clock, since it is about when a transaction will be mined; or from the chain's, if its blocks are
 * ahead, as those of a test chain may be.
 */
function defaultDeadline(blockTime: number): number {
  return Math.max(Math.floor(Date.now() / 1_000), blockTime) + defaultDeadlineSeconds;
}
