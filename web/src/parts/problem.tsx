import { useEffect } from "preact/hooks";
import { LaunchpadError } from "../data/client.ts";
import type { Resource } from "../data/resource.ts";
import { t } from "../language/messages.ts";

export type ProblemProps = {
  error: unknown;
  retry: () => void;
  /** Whether only a click tries again. */
  isManual?: boolean;
};

/** What the API says went wrong, in the visitor's language as far as there are words for it. */
export const problemText = ({ code, message }: LaunchpadError): string =>
  t.problem.byCode[code ?? ""] ?? message;

/** What went wrong, in words, and a way to try again. What may pass is tried again without a click. */
export function Problem({ error, retry, isManual }: ProblemProps) {
  useRetry(isManual ? undefined : error, retry);
  return (
    <div class="problem" role="alert">
      <h2>{problemTitle(error)}</h2>
      <p>{explain(error)}</p>
      {isHidden(error) ? null : (
        <button type="button" class="button" onClick={retry}>
          {t.problem.tryAgain}
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

/** What went wrong, in a few words. */
export function problemTitle(error: unknown): string {
  if (!(error instanceof LaunchpadError)) return t.problem.unreachable;
  if (isHidden(error)) return t.problem.hidden;
  return error.status === 404 ? t.problem.notFound : t.problem.failed;
}

const isHidden = (error: unknown) => error instanceof LaunchpadError && error.status === 451;

function explain(error: unknown): string {
  if (!(error instanceof LaunchpadError)) {
    return navigator.onLine ? t.problem.maybeDown : t.shell.offline;
  }
  return problemText(error);
}

/** The placeholder of rows that are being read, or whose code is. */
export const RowsSkeleton = () => <div class="skeleton rows-skeleton" />;

type PendingProps = { of: Pick<Resource<unknown>, "error" | "reload"> };

/** Takes the place of missing rows: a placeholder while they are being read, or the error. */
export function Pending({ of: { error, reload } }: PendingProps) {
  if (error.value === undefined) return <RowsSkeleton />;
  return <Problem error={error.value} retry={() => void reload()} />;
}

/** The placeholder of a page that is loading, with about the same height. */
export function PageSkeleton() {
  return (
    <div class="page-skeleton" role="status">
      <span class="visually-hidden">{t.common.loading}</span>
      <div class="skeleton" />
      <div class="skeleton is-tall" />
    </div>
  );
}
