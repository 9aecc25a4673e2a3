import { coin } from "../data/chain.ts";
import { LaunchpadError } from "../data/client.ts";
import { plainText } from "../format/plain-text.ts";
import { t } from "../language/messages.ts";
import { problemText } from "../parts/problem.tsx";

/** The page's own reason not to ask the wallet for something, as a full sentence. */
export class Refusal extends Error {}

/** How wallets report that their owner said no, rather than that they can't do it. Some have the code of an internal error for it. */
const rejections: unknown[] = [4001, 5000, "ACTION_REJECTED"];
const rejected = /user (rejected|denied|cancell?ed)/i;

export function isRejection(error: unknown): boolean {
  const { code, message } = Object(error);
  return rejections.includes(code) || rejected.test(message);
}

/** How nodes, browsers and wallets report that an RPC endpoint doesn't answer. */
const unreachable =
  /ECONN\w+|ENOTFOUND|EAI_AGAIN|fetch|network (error|request failed|changed)|load failed|input stream|connection was lost|socket hang up|timed? ?out|bad gateway|service unavailable/i;

/** Describes an error of a wallet or the API in words. */
export function explain(error: unknown): string {
  if (error instanceof LaunchpadError) return problemText(error);
  if (error instanceof Refusal) return error.message;
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  if (isRejection(error)) return t.wallet.rejected;
  switch (code) {
    case 4100:
      return t.wallet.notAllowed;
    case -32_002:
      return t.wallet.openRequest;
    case 4900:
    case 4901:
      return t.wallet.lostChain;
  }
  const inner = (data as { message?: unknown } | undefined)?.message;
  const text = plainText([message, inner].filter((part) => typeof part === "string").join(": "), 200);
  if (/insufficient funds/i.test(text)) return t.wallet.tooLittleCoin(coin.peek());
  // Wallets have objects of their own for their errors: these are of requests to the service, and of this page.
  const isNative = [TypeError, SyntaxError, RangeError, DOMException].some((kind) => error instanceof kind);
  if (unreachable.test(text)) return isNative ? t.wallet.serviceUnreachable : t.wallet.chainUnreachable;
  if (isNative) return t.wallet.pageFailed(text);
  return text === "" ? t.wallet.refusedWithoutReason : t.wallet.refused(text);
}
