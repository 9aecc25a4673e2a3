import { type Address, parseEther } from "viem";
import { z } from "zod";
import { launchTokenAbi } from "../../../../abis/LaunchToken.ts";
import { findContradiction } from "../../../../client/src/check-quote.ts";
import { maxBigint } from "../../../domain/amounts.ts";
import { isoTime } from "../../market/time.ts";
import { needsApproval } from "../../quotes/check-account.ts";
import { quoteRoute } from "../../quotes/quote.routes.ts";
import { type QuoteAnswer, quote as quoteSchema } from "../../quotes/quote.schema.ts";
import { gasLimits } from "../../quotes/transaction.ts";
import { statsRoute } from "../../stats/stats.routes.ts";
import { type AmountFacts, amountPattern, amountProblem, resolveAmount, whole } from "../amount.ts";
import { chainId, mint, payableAccount } from "../inputs.ts";
import { type Step, step } from "../steps.ts";
import { readingTool, type ToolContext, ToolError } from "../tool.ts";
import { readToken } from "./token-result.ts";

/** What is paid in, what comes out, and the minimum that must: in wei of BNB and base units of the token. */
const quoteAmounts = (quote: QuoteAnswer) => ({
  amountIn: quote.amountInWei ?? quote.amountInRaw ?? "0",
  amountOut: quote.amountOutRaw ?? quote.amountOutWei ?? "0",
  minAmountOut: quote.minAmountOutRaw ?? quote.minAmountOutWei ?? "0",
});

/** The price impact, in percent, from which a warning is added. */
const highImpact = 5;
const minGasReserve = parseEther("0.001");
/** Wei that a buy of "max" or a percentage keeps back for gas: twice what it may cost now, since the price may rise. */
const gasReserve = (gasPrice: bigint) => maxBigint(minGasReserve, 2n * BigInt(gasLimits.curveBuy) * gasPrice);

const amount = z
  .string()
  .regex(amountPattern, { error: ({ input }) => amountProblem(String(input)) })
  .describe(
    'What is paid in. BNB for a buy, whole tokens for a sell: "0.01". A share of what the account has: "50%". All of it: "max" (a buy leaves at least 0.001 BNB for gas). By value: "$5".',
  )
  .meta({ examples: ["0.01", "50%", "max", "$5"] });

export const prepareTrade = readingTool({
  name: "prepare_trade",
  title: "Prepare a trade",
  description:
    "Quotes a buy or sell to the wei, on curve or DEX, and returns the unsigned transactions to sign, in order, with warnings and a simulation. It sends nothing and needs no key. For an unfamiliar token, call assess_token first. Call this again after a minute: prices move. Then get_transaction tells the outcome.",
  isExact: true,
  isOpenWorld: true,
  otherNames: { slippagePercent: "slippage" },
  input: z.object({
    mint,
    side: z.enum(["buy", "sell"]).describe("buy: tokens for BNB. sell: BNB for tokens."),
    amount,
    account: payableAccount(
      "The account that signs: its balance and allowance are checked, and the DEX pays out to it.",
    ),
    slippage: z
      .number()
      .min(0)
      .max(50)
      .multipleOf(0.01)
      .default(1)
      .describe("Percent by which the result may be worse than quoted."),
    permitSignature: z
      .string()
      .regex(/^0x[0-9a-fA-F]{130}$/, "must be a signature: 0x and 130 hexadecimal digits")
      .optional()
      .describe(
        "For a sell on the curve: account's signature of the permit of an earlier result, for the same amount. Then no approval is needed. Give the deadline of that result too.",
      ),
    deadline: z.int().min(1).max(9_999_999_999).optional().describe("With permitSignature: the permit's."),
    chainId,
  }),
  output: z.object({
    mint: z.string(),
    side: z.enum(["buy", "sell"]),
    venue: z.enum(["curve", "dex"]),
    pays: z.string().describe("What is paid in: whole BNB for a buy, whole tokens for a sell."),
    gets: z.string().describe("What comes out: whole tokens for a buy, whole BNB for a sell."),
    minimum: z.string().describe("The minimum that must come out; otherwise the trade reverts."),
    refundBnb: z.string().describe("BNB refunded, if the curve ends within the buy."),
    priceImpactPercent: quoteSchema.shape.priceImpactPercent,
    graduates: z.boolean().describe("Whether this buy graduates the token to the DEX."),
    block: z.int().describe("The quote is as of this block."),
    deadline: z.int().describe("The last second at which it may be mined, in seconds since 1970."),
    expiresAt: z.iso.datetime().describe("The same in ISO 8601."),
    warnings: z.array(z.string()),
    simulation: quoteSchema.shape.simulation.unwrap(),
    permit: quoteSchema.shape.permit.describe(
      "Saves the approval of a sell: sign this typed data (EIP-712, eth_signTypedData_v4) and call again with permitSignature and deadline. Or send the steps as they are.",
    ),
    steps: z
      .array(step)
      .describe(
        "Sign and send them in this order, each once the previous one is mined. Empty if the simulation reverts.",
      ),
  }),
  async run({ mint, side, amount, account, slippage, permitSignature, deadline, chainId }, context) {
    if (permitSignature !== undefined && (side !== "sell" || deadline === undefined)) {
      throw new ToolError(
        "invalid_request",
        "permitSignature needs side sell and the deadline of the permit that was signed.",
      );
    }
    const facts = accountBalances(context, { mint, side, account, chainId });
    const paid = await resolveAmount(amount, facts);
    const readQuote = context.ask(quoteRoute, {
      path: { mint },
      query: {
        side,
        amount: String(paid),
        account,
        slippage: slippage.toFixed(2),
        simulation: "true",
        chainId,
        signature: permitSignature,
        deadline: deadline === undefined ? undefined : String(deadline),
      },
    });
    const quote = await readQuote.catch((error: unknown) => {
      if (!(error instanceof ToolError)) throw error;
      throw new ToolError(error.code, inWholeUnits(error, side));
    });
    const { id, launchpad } = context.chain.choose(chainId);
    const router = quote.venue === "dex" ? await context.chain.readRouter(chainId) : undefined;
    const asked = { mint, side, amountIn: paid, account, slippagePercent: slippage };
    const contradiction = findContradiction(quote, asked, { chainId: id, launchpad, router });
    if (contradiction !== undefined) {
      throw new ToolError(
        "quote_contradicts_itself",
        `The trade was not prepared, because its quote has ${contradiction}. Try again.`,
      );
    }
    const { amountIn, amountOut, minAmountOut } = quoteAmounts(quote);
    const { simulation = { outcome: "not_simulated" } } = quote;
    return {
      mint,
      side,
      venue: quote.venue,
      pays: whole(amountIn),
      gets: whole(amountOut),
      minimum: whole(minAmountOut),
      refundBnb: whole(quote.refundWei),
      priceImpactPercent: quote.priceImpactPercent,
      graduates: quote.graduates,
      block: quote.block,
      deadline: quote.deadline,
      expiresAt: isoTime(quote.deadline),
      simulation,
      warnings: toWarnings(quote, simulation),
      permit: quote.permit,
      // What would revert is not there to sign.
      steps: simulation.outcome === "reverts" ? [] : toSteps(quote),
    };
  },
});

/** Rewrites the errors and warnings of a quote that have amounts, which are in wei or base units, to the units of our input. */
function inWholeUnits({ code, message }: { code: string; message: string }, side: "buy" | "sell"): string {
  if (!["amount_too_large", "balance_too_low", "allowance_too_low"].includes(code)) return message;
  const unit = side === "buy" ? "BNB" : "tokens";
  return message.replaceAll(
    /(\d+)( wei| base units of the token)?/g,
    (_, amount) => `${whole(amount)} ${unit}`,
  );
}

function toWarnings(quote: QuoteAnswer, simulation: NonNullable<QuoteAnswer["simulation"]>): string[] {
  const { warnings, side, priceImpactPercent, graduates } = quote;
  const has = (code: QuoteAnswer["warnings"][number]["code"]) =>
    warnings.some((warning) => warning.code === code);
  const cause = has("balance_too_low")
    ? "the account has too little"
    : has("permit_not_valid")
      ? "the signature is of another permit: sign the one here"
      : "the price moved: ask again";
  return [
    ...(simulation.outcome === "reverts"
      ? [
          `would_revert: ${cause}. There is no transaction to sign, since it would revert (${simulation.reason}).`,
        ]
      : []),
    ...warnings.map((warning) => `${warning.code}: ${inWholeUnits(warning, side)}`),
    ...(priceImpactPercent >= highImpact
      ? [
          `high_impact: because of its size, the trade brings ${priceImpactPercent} % less than at the price before it. A smaller trade loses less.`,
        ]
      : []),
    ...(graduates ? [`graduates: this buy ends the curve; any excess is refunded.${exitText(quote)}`] : []),
  ];
}

/** What graduation costs holders. */
function exitText({ graduationExit: exit }: QuoteAnswer): string {
  if (exit === null) return "";
  return ` After it, all holders together can take out ${exit.afterBnb} BNB, in place of ${exit.beforeBnb} before.`;
}

function toSteps(quote: QuoteAnswer): Step[] {
  const { transaction, approval, warnings, side, venue, mint } = quote;
  const { amountIn, minAmountOut } = quoteAmounts(quote);
  const [paid, got] = side === "buy" ? ["BNB", `tokens of ${mint}`] : [`tokens of ${mint}`, "BNB"];
  const where = venue === "curve" ? "the launchpad's curve" : "the DEX";
  const trade = `Pays ${whole(amountIn)} ${paid} on ${where} for at least ${whole(minAmountOut)} ${got}.`;
  return [
    ...(approval !== null && needsApproval(warnings)
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

type Trade = {
  mint: Address;
  side: "buy" | "sell";
  account: Address;
  chainId: number | undefined;
};

/** Returns readers of what an account can pay with, called only if the amount depends on it. */
function accountBalances(
  { ask, chain }: Pick<ToolContext, "ask" | "chain">,
  { mint, side, account, chainId }: Trade,
): AmountFacts {
  return {
    async spendable() {
      if (side === "sell") {
        const balance = {
          address: mint,
          abi: launchTokenAbi,
          functionName: "balanceOf",
          args: [account],
        } as const;
        return await chain.read(chainId, (client) => client.readContract(balance));
      }
      return await chain.read(chainId, async (client) => {
        const [wei, gasPrice] = await Promise.all([
          client.getBalance({ address: account }),
          client.getGasPrice(),
        ]);
        return maxBigint(0n, wei - gasReserve(gasPrice));
      });
    },
    async unitUsd() {
      return side === "sell"
        ? (await readToken(ask, mint, chainId)).priceUsd
        : (await ask(statsRoute, { query: { chainId } })).bnbUsd;
    },
  };
}
