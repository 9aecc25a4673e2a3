import { formatEther, parseEther } from "viem";
import { ToolError } from "./tool.ts";

export const amountPattern = /^(max|\$\d{1,12}(\.\d{1,6})?|\d{1,12}(\.\d{1,18})?|\d{1,3}(\.\d{1,2})?%)$/;

/** What is wrong with a text that is no amount. Completes the sentence "amount ...". */
export function amountProblem(text: string): string {
  const digits = /^\$\d+(\.\d+)?$/.test(text)
    ? "12 digits before the point and 6 after it"
    : /^\d+(\.\d+)?%$/.test(text)
      ? "3 digits before the point and 2 after it"
      : /^\d+(\.\d+)?$/.test(text)
        ? "12 digits before the point and 18 after it"
        : undefined;
  return `must be whole BNB for a buy or tokens for a sell, such as "0.01", not wei; or "50%", "max" or "$5"${digits === undefined ? "" : `; with at most ${digits}`}`;
}

export type AmountFacts = {
  /** Reads what the account can spend, in wei or base units. */
  spendable: () => Promise<bigint>;
  /**
   * Reads the USD price of one whole unit paid in: of BNB for a buy, of the token for a sell. Undefined without a rate.
   */
  unitUsd: () => Promise<string | undefined>;
};

/** Resolves "0.01", "50%", "max" or "$5" to wei or base units. Throws a ToolError if that is 0 or can't be computed. */
export async function resolveAmount(text: string, { spendable, unitUsd }: AmountFacts): Promise<bigint> {
  const amount = await resolve(text, { spendable, unitUsd });
  if (amount > 0n) return amount;
  throw new ToolError(
    "amount_too_small",
    `${text} amounts to nothing: it is 0, or the account has nothing to spend. A buy leaves at least 0.001 BNB for gas.`,
  );
}

async function resolve(text: string, { spendable, unitUsd }: AmountFacts): Promise<bigint> {
  if (text === "max") return await spendable();
  if (text.endsWith("%")) {
    const hundredths = parseDecimal(text.slice(0, -1), 2);
    if (hundredths > 10_000n) throw new ToolError("invalid_request", "amount must be at most 100%.");
    return ((await spendable()) * hundredths) / 10_000n;
  }
  if (!text.startsWith("$")) return parseEther(text);
  const rate = await unitUsd();
  if (rate === undefined) {
    throw new ToolError("no_usd_rate", "No BNB/USD rate is known here: give the amount in BNB or tokens.");
  }
  const perUnit = parseDecimal(rate, 36);
  if (perUnit === 0n)
    throw new ToolError("no_usd_rate", "The token has no price: give the amount in tokens.");
  return (parseDecimal(text.slice(1), 36) * parseEther("1")) / perUnit;
}

/** Parses a decimal to an integer scaled by `decimals`. Further decimals are cut off. */
function parseDecimal(text: string, decimals: number): bigint {
  const [units = "0", fraction = ""] = text.split(".");
  return BigInt(units + fraction.slice(0, decimals).padEnd(decimals, "0"));
}

/** Formats wei or base units as whole BNB or tokens. */
export const whole = (amount: string | bigint) => formatEther(BigInt(amount));
