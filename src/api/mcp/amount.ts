import { formatEther, parseEther } from "viem";
import { ToolError } from "./tool-error.ts";

export const amountPattern = /^(max|\$\d{1,12}(\.\d{1,6})?|\d{1,12}(\.\d{1,18})?|\d{1,3}(\.\d{1,2})?%)$/;

export type AmountFacts = {
  /** What the account can spend, wei or base units. */
  spendable: () => Promise<bigint>;
  /** USD for one whole unit of what is paid: BNB of a buy, a token of a sell. Undefined: no rate is known. */
  unitUsd: () => Promise<string | undefined>;
};

/** "0.01", "50%", "max" or "$5" in wei or base units. */
export async function resolveAmount(text: string, { spendable, unitUsd }: AmountFacts): Promise<bigint> {
  const amount = await resolve(text, { spendable, unitUsd });
  if (amount > 0n) return amount;
  throw new ToolError(
    "amount_too_small",
    `${text} comes to nothing: the account has none of it, or it is 0.`,
  );
}

async function resolve(text: string, { spendable, unitUsd }: AmountFacts): Promise<bigint> {
  if (text === "max") return await spendable();
  if (text.endsWith("%")) {
    const hundredths = parsed(text.slice(0, -1), 2);
    if (hundredths > 10_000n) throw new ToolError("invalid_request", "amount must be at most 100%.");
    return ((await spendable()) * hundredths) / 10_000n;
  }
  if (!text.startsWith("$")) return parseEther(text);
  const rate = await unitUsd();
  if (rate === undefined) {
    throw new ToolError("no_usd_rate", "No BNB/USD rate is known here: give the amount in BNB or tokens.");
  }
  const perUnit = parsed(rate, 36);
  if (perUnit === 0n)
    throw new ToolError("no_usd_rate", "The token has no price: give the amount in tokens.");
  return (parsed(text.slice(1), 36) * parseEther("1")) / perUnit;
}

/** A decimal as a whole number of so many decimals; more are cut off. */
function parsed(text: string, decimals: number): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
}

/** Wei or base units as whole BNB or tokens. */
export const whole = (amount: string | bigint) => formatEther(BigInt(amount));
