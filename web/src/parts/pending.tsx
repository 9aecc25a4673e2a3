import { Problem, type ProblemProps } from "./problem.tsx";

/** In place of rows that are not there yet: that they are being read, or what went wrong. */
export function Pending({ error, retry }: ProblemProps) {
  return error === undefined ? (
    <div class="skeleton rows-skeleton" />
  ) : (
    <Problem error={error} retry={retry} />
  );
}
