import { LaunchpadError } from "../data/client.ts";
import { plainText } from "../format/text.ts";

/** The page's own reason not to ask the wallet for something, as a full sentence. */
export class Refusal extends Error {}

/** How nodes, browsers and wallets report that an RPC endpoint doesn't answer. */
const unreachable =
  /ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|fail(ed|ure) to fetch|fetch failed|network (error|request failed|changed)|load failed|socket hang up|timed? ?out|bad gateway|service unavailable|gateway timeout/i;

/** Describes an error of a wallet or the API in words. */
export function explain(error: unknown): string {
  if (error instanceof LaunchpadError || error instanceof Refusal) return error.message;
  // fetch() throws it if the service, or the network, doesn't answer.
  if (error instanceof TypeError) return "The service can't be reached at the moment. Try again.";
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
  if (unreachable.test(text)) {
    return "Your wallet can't reach the chain: its RPC endpoint doesn't answer. Try again, or choose another endpoint in the wallet.";
  }
  return text === "" ? "The wallet refused without giving a reason." : `The wallet refused: ${text}`;
}
