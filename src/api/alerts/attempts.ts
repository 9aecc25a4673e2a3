import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { AlertSettings } from "../../../config/alerts.ts";
import { createFairSemaphore } from "../concurrency/semaphore.ts";
import { type AlertMessage, signedHeaders, toBody } from "./messages.ts";
import { type Receiver, signingSecrets } from "./receiver-secrets.ts";
import { WebhookError, type WebhookSender } from "./webhook-request.ts";

const timeoutMs = 10_000;
const maxSending = 256;
const maxPerHost = 10;

export type Attempts = ReturnType<typeof createAttempts>;

/** Sends single messages. Receivers on one host take turns, and one address gets so many requests a minute at most. */
export function createAttempts({ settings, sender }: { settings: AlertSettings; sender: WebhookSender }) {
  const limitSending = createFairSemaphore({
    concurrency: maxSending,
    maxPerClient: maxPerHost,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitMs: 60_000,
    refuse: () => new PostponedError(1_000),
  });
  const budget = new RateLimiterMemory({ points: settings.requestsPerHost, duration: 60 });

  async function spend(address: string): Promise<void> {
    try {
      await budget.consume(address);
    } catch (error) {
      if (error instanceof RateLimiterRes) throw new PostponedError(error.msBeforeNext);
      throw error;
    }
  }

  /**
   * Sends a body. Resolves to what became of it. Throws a PostponedError if it is not the host's turn, or not ours any more.
   *
   * @param msLeft milliseconds for which this process may still send
   */
  async function attempt(
    receiver: Receiver,
    id: string,
    body: string,
    msLeft = () => timeoutMs,
  ): Promise<Outcome> {
    const url = new URL(receiver.url);
    return await limitSending(url.host, async () => {
      const startedAt = performance.now();
      const outcome = (status: number | null, error: string | null, answer = "", retryAfter = 0) => ({
        status,
        error,
        answer,
        retryAfter,
        ms: Math.round(performance.now() - startedAt),
      });
      try {
        const target = await sender.resolve(url);
        await spend(target.address);
        const left = Math.min(timeoutMs, msLeft());
        if (left <= 0) throw new PostponedError(0);
        const headers = signedHeaders(signingSecrets(receiver), id, body);
        const {
          status,
          body: answer,
          retryAfter,
        } = await sender.post({ target, headers, body, timeoutMs: left });
        const isOk = status >= 200 && status < 300;
        return outcome(status, isOk ? null : describeStatus(status), answer, retryAfter);
      } catch (error) {
        if (error instanceof WebhookError) return outcome(null, error.message);
        throw error;
      }
    });
  }

  return {
    attempt,
    /** Sends one message outside of a subscription's order. */
    async sendOnce(receiver: Receiver, message: AlertMessage): Promise<Outcome> {
      const { id, body } = toBody([message], false);
      try {
        return await attempt(receiver, id, body);
      } catch (error) {
        if (!(error instanceof PostponedError)) throw error;
        const reason = "too many requests go to its address: try again in a minute";
        return { status: null, error: reason, answer: "", retryAfter: 0, ms: 0 };
      }
    },
  };
}

type Outcome = {
  /** The HTTP status; null without an answer. */
  status: number | null;
  /** Null if the receiver has it. For the subscription's owner. */
  error: string | null;
  /** The first kilobyte of what it answered. */
  answer: string;
  /** Seconds, from Retry-After; 0 without. */
  retryAfter: number;
  ms: number;
};

/** It is not the turn of this host, or this process may no longer send. */
export class PostponedError extends Error {
  override name = "PostponedError";
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super("postponed");
    this.milliseconds = milliseconds;
  }
}

function describeStatus(status: number): string {
  return status >= 300 && status < 400
    ? `it answered ${status}, and redirects are not followed`
    : `it answered ${status}`;
}
