import { randomBytes, timingSafeEqual } from "node:crypto";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { parseJson } from "../../../config/parse.ts";
import type { AlertRow } from "../../../offchain/alert-store.ts";
import type { AlertService } from "./alert-service.ts";
import type { AlertVerification } from "./alerts.routes.ts";
import { sendOnce } from "./attempts.ts";
import { openReceiver } from "./receiver-secrets.ts";

/** Challenges in an hour that a host may leave unanswered, of the subscriptions that were made from one address. */
const unansweredPerHost = 20;

/** The returned function sends a subscription's receiver a challenge, unless its host has left too many unanswered. */
export function createChallenge(alerts: Pick<AlertService, "attempt" | "settings">) {
  const unanswered = new RateLimiterMemory({ points: unansweredPerHost, duration: 3_600 });

  return async (row: AlertRow): Promise<AlertVerification> => {
    const receiver = openReceiver(alerts.settings.key, row);
    const host = `${row.client} ${row.host}`;
    // Otherwise a client could have us write to whoever never asked for it, as often as it may write to us.
    const isRefused = await unanswered.consume(host).then(
      () => false,
      () => true,
    );
    if (isRefused) {
      const error = "too many challenges to its host were not answered: try again in an hour";
      return { verified: false, status: null, error, errorCode: "too_many_challenges" };
    }
    const challenge = randomBytes(24).toString("base64url");
    const { status, error, errorCode, answer } = await sendOnce(alerts.attempt, receiver, {
      id: `${row.id}.challenge-${challenge.slice(0, 8)}`,
      type: "challenge",
      timestamp: new Date().toISOString(),
      subscription: row.id,
      data: { challenge },
    });
    const verified = error === null && echoes(answer, challenge);
    if (verified) await unanswered.reward(host);
    return error === null && !verified
      ? { verified, status, error: "its answer doesn't contain the challenge", errorCode: "not_echoed" }
      : { verified, status, error, errorCode };
  };
}

/** Whether an answer is the challenge, or JSON whose field `challenge` is. */
function echoes(answer: string, challenge: string): boolean {
  const text = answer.trim();
  const { challenge: named } = (parseJson(text) ?? {}) as { challenge?: unknown };
  return isEqual(text, challenge) || (typeof named === "string" && isEqual(named, challenge));
}

function isEqual(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
