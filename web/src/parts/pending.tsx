import { t } from "../language/messages.ts";
import { Problem, type ProblemProps } from "./problem.tsx";

/** Takes the place of missing rows: a placeholder while they are being read, or the error. */
export function Pending({ error, retry }: ProblemProps) {
  return error === undefined ? (
    <div class="skeleton rows-skeleton" />
  ) : (
    <Problem error={error} retry={retry} />
  );
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
