import { chainNames, freshness, isOnline, isServiceUp } from "../data/chain.ts";
import { connection } from "../data/client.ts";
import { formatSpan } from "../format/time.ts";

/** A smaller lag behind the chain's head is not worth mentioning. */
const noticeableLagSeconds = 30;

/** A line above every page that says what is wrong at the moment, if anything is. */
export function Banner() {
  const text = message();
  return (
    <div class="banner-place" role="status">
      {text !== undefined && <p class="banner">{text}</p>}
    </div>
  );
}

function message(): string | undefined {
  if (!isOnline.value) return "This device is offline. What you see is not updated.";
  if (!isServiceUp.value) return "The service doesn't answer at the moment. What you see may be old.";
  const state = freshness.value;
  if (state?.writer === "gone") return "Nothing is being indexed at the moment: what you see is not updated.";
  const behind = state?.chains.find(({ lagSeconds }) => (lagSeconds ?? 0) > noticeableLagSeconds);
  if (behind !== undefined) {
    const name = chainNames[behind.chainId] ?? `chain ${behind.chainId}`;
    return behind.endpointsAnswer
      ? `The index is ${formatSpan(behind.lagSeconds ?? 0)} behind ${name}, and catching up.`
      : `${name} can't be reached: what you see is ${formatSpan(behind.lagSeconds ?? 0)} old.`;
  }
  return connection.value === "lost" ? "The live connection was lost. Reconnecting…" : undefined;
}
