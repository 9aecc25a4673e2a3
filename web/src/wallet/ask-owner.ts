import { t } from "../language/messages.ts";
import { Refusal } from "./explain.ts";
import type { StatusSignal } from "./run-steps.ts";

/** The visitor has stopped waiting for the wallet, in which the request may still be open. */
export class StoppedWaiting extends Refusal {}

/** The number of open requests that nobody waits for any more. */
let leftOpen = 0;

/**
 * Asks for something that the wallet's owner has to confirm, and lets the visitor stop waiting for the answer: some wallets lose a
 * request, or show it nowhere. Throws {@link StoppedWaiting} then.
 *
 * @param status says what is to be confirmed
 * @param onLate called with an answer that comes after that: what was asked for can't be taken back
 */
export async function askOwner<Answer>(
  status: StatusSignal,
  ask: () => Promise<Answer>,
  onLate?: (answer: Answer) => void,
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    let isAwaited = true;
    const stopWaiting = () => {
      if (!isAwaited) return;
      isAwaited = false;
      leftOpen++;
      reject(new StoppedWaiting(t.wallet.stoppedWaiting));
    };
    const said = status.peek();
    if (said.kind === "working") {
      const text = leftOpen > 0 ? `${said.text} ${t.wallet.leftOpen}` : said.text;
      status.value = { ...said, text, stopWaiting };
    }
    /** Returns whether somebody waited for the answer. */
    const end = () => {
      const wasAwaited = isAwaited;
      isAwaited = false;
      // Whoever asked may have more to do before the status says anything else.
      if (wasAwaited) status.value = said;
      else leftOpen--;
      return wasAwaited;
    };
    ask().then(
      (answer) => (end() ? resolve(answer) : onLate?.(answer)),
      (error: unknown) => end() && reject(error),
    );
  });
}
