import { LaunchpadError } from "../data/client.ts";
import { plainText } from "../format/text.ts";

/** The page's own reason not to ask the wallet for something, as a full sentence. */
export class Refusal extends Error {}

/** Describes an error of a wallet or the API in words. */
export function explain(error: unknown): string {
  if (error instanceof LaunchpadError || error instanceof Refusal) return error.message;
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  switch (code) {
    case 4001:
    case "ACTION_REJECTED":
      return "You rejected it in your wallet. Nothing was sent.";
    case 4100:
      return "The wallet doesn't allow this account here. Connect it again.";
    case -32_002:
      return "The wallet already has an open request. Answer it there.";
    case 4900:
    case 4901:
      return "The wallet has lost its connection to the chain.";
  }
  const inner = (data as { message?: unknown } | undefined)?.message;
  const text = plainText([message, inner].filter((part) => typeof part === "string").join(": "), 200);
  if (/insufficient funds/i.test(text)) return "The account has too little BNB for this, gas included.";
  return text === "" ? "The wallet refused without giving a reason." : `The wallet refused: ${text}`;
}
