import { Problem, type ProblemProps } from "./problem.tsx";

/** Takes the place of missing rows: a placeholder while they are being read, or the error. */
export function Pending({ error, retry }: ProblemProps) {
  return error === undefined ? (
    <div class="skeleton rows-skeleton" />
  ) : (
    <Problem error={error} retry={retry} />
  );
}
