import { t } from "../language/messages.ts";
import { Problem, type ProblemProps } from "./problem.tsx";

/** The placeholder of rows that are being read, or whose code is. */
export const RowsSkeleton = () => <div class="skeleton rows-skeleton" />;

/** Takes the place of missing rows: a placeholder while they are being read, or the error. */
export function Pending({ error, retry }: ProblemProps) {
  return error === undefined ? <RowsSkeleton /> : <Problem error={error} retry={retry} />;
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
