import { formatPercent } from "../format/number.ts";

/** A progress bar for the share of the curve that is sold. */
export function CurveProgress({ progress, graduated }: { progress: number; graduated: boolean }) {
  return (
    <div
      class={`progress ${graduated ? "is-full" : ""}`}
      role="progressbar"
      aria-label={graduated ? "Graduated" : "Curve sold"}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={progress}
      aria-valuetext={graduated ? "Graduated" : formatPercent(progress)}
    >
      <span style={{ transform: `scaleX(${Math.max(progress, 0.5) / 100})` }} />
    </div>
  );
}
