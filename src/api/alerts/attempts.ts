import { Worker } from "node:worker_threads";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { AlertSettings } from "../../../config/alerts.ts";
import { createFairSemaphore } from "../concurrency/semaphore.ts";
import { customerNetwork } from "../http/client-ip.ts";
import { firstReachable, noAnswerWithin, OutboundError } from "../http/outbound.ts";
import type { AttemptReport, AttemptRequest } from "./attempts-worker.ts";
import type { DeliveryError } from "./delivery-error.schema.ts";
import { type AlertMessage, signedHeaders, toBody } from "./messages.ts";
import { type Receiver, signingSecrets } from "./receiver-secrets.ts";
import type { WebhookSender } from "./webhook-request.ts";

const timeoutMs = 10_000;
const maxSending = 256;
const maxPerHost = 10;
/**
 * However many names lead to one address: an eighth of all. As it gets 600 requests a minute by default, that is enough for answers that
 * take three seconds.
 */
const maxPerAddress = 32;
const budgetSeconds = 60;
/** What an attempt may wait for its turns, all in all: whoever asked for a test waits for its outcome. */
const defaultMaxWaitMs = 20_000;

/**
 * Sends a body. Resolves to what became of it, at most 30 seconds later. Throws a PostponedError if it is not the host's turn, or not ours
 * any more.
 *
 * @param until when this process may no longer send, in milliseconds since 1970
 */
export type Attempt = (receiver: Receiver, id: string, body: string, until?: number) => Promise<Outcome>;

export type AttemptSettings = Pick<AlertSettings, "privateNetworks" | "proxy" | "requestsPerHost">;

/** The returned function lets receivers on one host or address take turns, and sends an address so many requests a minute at most. */
export function createAttempt(
  { requestsPerHost }: AttemptSettings,
  sender: WebhookSender,
  maxWaitMs = defaultMaxWaitMs,
): Attempt {
  const postponed = () => new PostponedError(1_000);
  const limit = (concurrency: number, maxPerClient: number) =>
    createFairSemaphore({
      concurrency,
      maxPerClient,
      maxWaiting: Number.POSITIVE_INFINITY,
      maxWaitMs,
      refuse: postponed,
    });
  // Whoever waits for a name or an address holds up its host, and nobody else.
  const limitHosts = limit(Number.POSITIVE_INFINITY, maxPerHost);
  const limitSending = limit(maxSending, maxPerAddress);
  const budget = new RateLimiterMemory({ points: requestsPerHost, duration: budgetSeconds });

  async function spend(address: string): Promise<void> {
    try {
      await budget.consume(address);
    } catch (error) {
      // It reckons with the time of day, and the clock may have been set back by days.
      if (error instanceof RateLimiterRes) {
        throw new PostponedError(Math.min(error.msBeforeNext, 1_000 * budgetSeconds));
      }
      throw error;
    }
  }

  return async (receiver, id, body, until = Number.POSITIVE_INFINITY) => {
    const url = new URL(receiver.url);
    let usedMs = 0;
    /** Runs `use` with what is left of the attempt's time. Waiting for a turn doesn't count. */
    async function timed<Result>(use: (timeLeft: () => number) => Promise<Result>): Promise<Result> {
      const startedAt = performance.now();
      const usedBefore = usedMs;
      const measure = () => {
        usedMs = usedBefore + performance.now() - startedAt;
        return usedMs;
      };
      return await use(() => {
        if (until <= Date.now()) throw new PostponedError(0);
        const left = timeoutMs - measure();
        if (left <= 0) throw noAnswerWithin(timeoutMs);
        return Math.min(left, until - Date.now());
      }).finally(measure);
    }
    const outcome = (
      status: number | null,
      failure: Failure = noFailure,
      answer = "",
      retryAfter = 0,
    ): Outcome => ({ status, ...failure, answer, retryAfter, ms: Math.round(usedMs) });

    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(postponed()), maxWaitMs);
    const send = async () => {
      try {
        const targets = await timed((timeLeft) => sender.resolve(url, timeLeft()));
        const {
          status,
          body: answer,
          retryAfter,
        } = await firstReachable(targets, (target) =>
          limitSending(
            customerNetwork(target.address),
            () =>
              timed(async (timeLeft) => {
                // Throws before anything is spent if no time is left.
                timeLeft();
                await spend(target.address);
                const headers = signedHeaders(signingSecrets(receiver), id, body);
                return await sender.post({ target, headers, body, timeoutMs: timeLeft() });
              }),
            deadline.signal,
          ),
        );
        const isOk = status >= 200 && status < 300;
        return outcome(status, isOk ? noFailure : describeStatus(status), answer, retryAfter);
      } catch (error) {
        if (error instanceof OutboundError) {
          return outcome(null, { error: error.message, errorCode: error.code });
        }
        throw error;
      }
    };
    return await limitHosts(url.host, send, deadline.signal).finally(() => clearTimeout(timer));
  };
}

/** Sends one message outside of a subscription's order. */
export async function sendOnce(
  attempt: Attempt,
  receiver: Receiver,
  message: AlertMessage,
): Promise<Outcome> {
  const { id, body } = toBody([message], false);
  try {
    return await attempt(receiver, id, body);
  } catch (error) {
    if (!(error instanceof PostponedError)) throw error;
    return {
      status: null,
      error: "too many requests go to its address: try again in a minute",
      errorCode: "rate_limited",
      answer: "",
      retryAfter: 0,
      ms: 0,
    };
  }
}

/** Why a receiver doesn't have a message, for the subscription's owner. Nulls if it has it. */
type Failure = { error: string | null; errorCode: DeliveryError | null };

const noFailure: Failure = { error: null, errorCode: null };

export type Outcome = Failure & {
  /** The HTTP status; null without an answer. */
  status: number | null;
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

function describeStatus(status: number): Failure {
  return status >= 300 && status < 400
    ? { error: `it answered ${status}, and redirects are not followed`, errorCode: "redirect" }
    : { error: `it answered ${status}`, errorCode: "status" };
}

/** After a crash of the thread, what it was sending is tried again after this pause. */
const crashPauseMs = 1_000;

/** Attempts in a thread of their own, which starts with the first one, and again after a crash. */
export function createAttemptsThread({ privateNetworks, proxy, requestsPerHost }: AttemptSettings) {
  const waiting = new Map<number, PromiseWithResolvers<Outcome>>();
  let worker: Worker | undefined;
  let calls = 0;

  function start(): Worker {
    // No execArgv: Ponder's flags are not for this thread.
    const started = new Worker(new URL("./attempts-worker.ts", import.meta.url), {
      workerData: { privateNetworks, proxy, requestsPerHost },
      execArgv: [],
    });
    started.unref();
    started.on("message", (report: AttemptReport) => {
      const answer = waiting.get(report.call);
      waiting.delete(report.call);
      if ("outcome" in report) answer?.resolve(report.outcome);
      else answer?.reject("postponedMs" in report ? new PostponedError(report.postponedMs) : report.error);
    });
    started.once("error", (error) => console.error("alerts:", error));
    started.once("exit", () => {
      if (worker === started) worker = undefined;
      for (const { reject } of waiting.values()) reject(new PostponedError(crashPauseMs));
      waiting.clear();
    });
    return started;
  }

  const attempt: Attempt = (receiver, id, body, until = Number.POSITIVE_INFINITY) => {
    worker ??= start();
    calls++;
    const answer = Promise.withResolvers<Outcome>();
    waiting.set(calls, answer);
    worker.postMessage({ call: calls, receiver, id, body, until } satisfies AttemptRequest);
    return answer.promise;
  };

  return {
    attempt,
    async stop(): Promise<void> {
      await worker?.terminate();
    },
  };
}
