import { useEffect } from "preact/hooks";
import { LaunchpadError } from "../data/client.ts";

export type ProblemProps = {
  error: unknown;
  retry: () => void /** Whether only a click tries again. */;
  isManual?: boolean;
};

/** What went wrong, in words, and a way to try again. What may pass is tried again without a click. */
export function Problem({ error, retry, isManual }: ProblemProps) {
  useRetry(isManual ? undefined : error, retry);
  return (
    <div class="problem" role="alert">
      <h2>{titleOf(error)}</h2>
      <p>{explain(error)}</p>
      {isHidden(error) ? null : (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Tries again after a failure that may pass: if the service can't be reached, is busy, or has refused too many requests. */
export function useRetry(error: unknown, retry: () => void): void {
  useEffect(() => {
    const status = error instanceof LaunchpadError ? error.status : 503;
    if (error === undefined || (status < 500 && status !== 429)) return;
    const timer = setTimeout(retry, status === 429 ? 30_000 : 4_000);
    return () => clearTimeout(timer);
  }, [error]);
}

function titleOf(error: unknown): string {
  if (!(error instanceof LaunchpadError)) return "The service can't be reached";
  if (isHidden(error)) return "Hidden by the operator";
  return error.status === 404 ? "Not found" : "This could not be loaded";
}

const isHidden = (error: unknown) => error instanceof LaunchpadError && error.status === 451;

function explain(error: unknown): string {
  if (!(error instanceof LaunchpadError)) {
    return navigator.onLine
      ? "It may be down or restarting. Nothing is lost."
      : "This device is offline. What you see is not updated.";
  }
  switch (error.code) {
    case "busy":
    case "warming_up":
    case "query_timeout":
      return "The service is busy. It should be back in a few seconds.";
    case "database_unavailable":
      return "The service is up, but its database isn't. Nothing is lost.";
    case "too_many_requests":
      return "Too many requests in a short time. Wait a minute.";
    case "chain_not_indexed":
      return "This service doesn't index that chain.";
    default:
      return error.message;
  }
}
