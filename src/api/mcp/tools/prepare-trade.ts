import { type Address, type Hex, parseEther } from "viem";
import { z } from "zod";
import { quoteRoute } from "../../quotes/quote.routes.ts";
import type { QuoteAnswer } from "../../quotes/quote.schema.ts";
import { amountPattern, resolveAmount, whole } from "../amount.ts";
import { amountsOf, contradictionOf } from "../check-trade.ts";
import { address, chainId, mint } from "../inputs.ts";
import { type Simulation, simulate, simulateInOrder } from "../simulate.ts";
import { type Step, step } from "../steps.ts";
import { readingTool, type ToolContext } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { accountBalances } from "./account-balances.ts";

/** Percent of impact from which a warning says so. */
const highImpact = 5;
/** Kept back for gas when "max" is bought for. */
const gasReserve = parseEther("0.001");

const amount = z
  .string()
  .regex(amountPattern, 'must be such as "0.01", "50%", "max" or "$5"')
  .describe(
    'The amount to pay in: "0.01" (BNB for a buy, whole tokens for a sell), "50%" of what the account has, "max" for all of it (a buy leaves 0.001 BNB for gas), or "$5" by value.',
  )
  .meta({ examples: ["0.01", "50%", "max", "$5"] });

export const prepareTrade = readingTool({
  name: "prepare_trade",
  title: "Prepare a trade",
  description:
    "Quotes a buy or sell to the wei, on curve or DEX, and returns the unsigned transactions to sign in order, with warnings and a simulation. It sends nothing and needs no key. Call assess_token first for a token that you don't know, and call this again after a minute, because prices move. After sending, get_transaction reports the outcome.",
  isOpenWorld: true,
  input: z.object({
    mint,
    side: z.enum(["buy", "sell"]).describe("buy: tokens for BNB. sell: BNB for tokens."),
    amount,
    account: address(
      "The account that signs. Its balance and allowance are checked, and the DEX pays out to it.",
    ),
    slippagePercent: z
      .number()
      .min(0)
      .max(50)
      .multipleOf(0.01)
      .default(1)
      .describe("Percent by which the result may be worse than quoted before the trade reverts."),
    chainId,
  }),
  output: z.object({
    mint: z.string(),
    side: z.enum(["buy", "sell"]),
    venue: z.enum(["curve", "dex"]),
    pays: z.string().describe("What is paid in: whole BNB for a buy, whole tokens for a sell."),
    gets: z.string().describe("What is received: whole tokens for a buy, whole BNB for a sell."),
    minimum: z.string().describe("The minimum received; the trade reverts if it would be less."),
    refundBnb: z.string().describe("BNB refunded to a buy that reaches the end of the curve."),
    priceImpactPercent: z.number(),
    graduates: z.boolean().describe("Whether this buy graduates the token to the DEX."),
    block: z.int().describe("The quote is as of this block."),
    deadline: z.int().describe("The latest time at which it may be mined, in seconds since 1970."),
    warnings: z.array(z.string()),
    simulation: z.object({
      outcome: z.enum(["succeeds", "reverts", "not_simulated"]),
      reason: z.string().optional(),
    }),
    steps: z.array(step).describe("Sign and send these in order, each after the previous one is mined."),
  }),
  async run({ mint, side, amount, account, slippagePercent, chainId }, context) {
    const facts = accountBalances(context, { mint, side, account, chainId, gasReserve });
    const paid = await resolveAmount(amount, facts);
    const quote = await context.ask(quoteRoute, {
      path: { mint },
      query: {
        ...{ side, amount: String(paid), account },
        ...{ slippage: slippagePercent.toFixed(2), chainId },
      },
    });
    const asked = { mint, side, amountIn: paid, account };
    const contradiction = contradictionOf(quote, asked, context.chain.choose(chainId));
    if (contradiction !== undefined) {
      throw new ToolError(
        "quote_contradicts_itself",
        `The trade was not prepared: ${contradiction}. Try again.`,
      );
    }
    const { amountIn, amountOut, minAmountOut } = amountsOf(quote);
    const simulation = await simulateTrade(context, quote, account, chainId);
    return {
      ...{ mint, side, venue: quote.venue, pays: whole(amountIn), gets: whole(amountOut) },
      ...{ minimum: whole(minAmountOut), refundBnb: whole(quote.refundWei) },
      ...{ priceImpactPercent: quote.priceImpactPercent, graduates: quote.graduates },
      ...{ block: quote.block, deadline: quote.deadline, simulation },
      warnings: warningsOf(quote),
      steps: stepsOf(quote),
    };
  },
});

const needsApproval = ({ approval, warnings }: QuoteAnswer) =>
  approval !== null &&
  warnings.some(({ code }) => code === "allowance_too_low" || code === "account_not_checked");

function warningsOf({ warnings, priceImpactPercent, graduates }: QuoteAnswer): string[] {
  return [
    ...warnings.map(({ code, message }) => `${code}: ${message}`),
    ...(priceImpactPercent >= highImpact
      ? [
          `high_impact: the trade itself moves the price by ${priceImpactPercent} %. A smaller one loses less.`,
        ]
      : []),
    ...(graduates ? ["graduates: this buy reaches the end of the curve; excess BNB is refunded."] : []),
  ];
}

function stepsOf(quote: QuoteAnswer): Step[] {
  const { transaction, approval, side, venue, mint } = quote;
  const { amountIn, minAmountOut } = amountsOf(quote);
  const [paid, got] = side === "buy" ? ["BNB", `tokens of ${mint}`] : [`tokens of ${mint}`, "BNB"];
  const where = venue === "curve" ? "the launchpad's curve" : "the DEX";
  const trade = `Pays ${whole(amountIn)} ${paid} on ${where} for at least ${whole(minAmountOut)} ${got}.`;
  return [
    ...(approval !== null && needsApproval(quote)
      ? [
          {
            does: `Lets ${approval.spender} take exactly ${whole(amountIn)} ${paid}.`,
            transaction: approval.rpc,
          },
        ]
      : []),
    ...(transaction === null ? [] : [{ does: trade, transaction: transaction.rpc }]),
  ];
}

async function simulateTrade(
  { chain }: ToolContext,
  quote: QuoteAnswer,
  account: Address,
  chainId: number | undefined,
): Promise<Simulation> {
  const { transaction, approval } = quote;
  if (transaction === null) return { outcome: "not_simulated" };
  if (approval !== null && needsApproval(quote)) {
    return await simulateInOrder(chain, chainId, account, [toSent(approval), toSent(transaction)]);
  }
  return await simulate(chain, chainId, { from: account, ...toSent(transaction) });
}

const toSent = ({ to, data, value }: { to: string; data: string; value: string }) => ({
  to: to as Address,
  data: data as Hex,
  value: BigInt(value),
});
