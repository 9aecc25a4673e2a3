import type { Address, PublicClient } from "viem";
import { type Simulation, simulate, simulateInOrder } from "../chain/simulate.ts";
import type { Quote } from "./quote.mapper.ts";
import type { QuoteWarning } from "./quote.schema.ts";

/** Simulates a quote's transaction as sent by this account now, after its approval if that is necessary. */
export async function simulateQuote(
  client: PublicClient,
  { transaction, approval }: Quote,
  { account, warnings }: { account: Address; warnings: QuoteWarning[] },
): Promise<Simulation> {
  if (transaction === null) return { outcome: "not_simulated" };
  if (approval !== null && needsApproval(warnings)) {
    return await simulateInOrder(client, account, [approval, transaction]);
  }
  return await simulate(client, { from: account, ...transaction });
}

/** Whether the approval has to be sent before the trade, as far as is known. */
export const needsApproval = (warnings: QuoteWarning[]) =>
  warnings.some(({ code }) => code === "allowance_too_low" || code === "account_not_checked");
