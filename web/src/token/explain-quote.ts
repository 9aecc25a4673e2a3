import { LaunchpadError } from "../data/client.ts";
import { formatNumber, fromUnits } from "../format/number.ts";
import { explain } from "../wallet/explain.ts";

/** Says why there is no quote, with amounts in the unit that the visitor typed in: the API's are in base units. */
export function explainQuote(error: unknown, unit: string): string {
  if (!(error instanceof LaunchpadError)) return explain(error);
  if (error.code === "amount_too_small") return "This is too little: it would bring nothing.";
  const most = /at most (\d+)/.exec(error.message)?.[1];
  if (error.code === "amount_too_large" && most !== undefined) {
    return `At most ${formatNumber(fromUnits(most), 6)} ${unit} can be traded at once.`;
  }
  return error.message;
}
