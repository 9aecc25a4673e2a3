import { formatPercent } from "../format/number.ts";
import { t } from "../language/messages.ts";

/** A progress bar for the share of the curve that is sold. */
export function CurveProgress({ progress, graduated }: { progress: number; graduated: boolean }) {
  return (
    <div
      class={`progress ${graduated ? "is-full" : ""}`}
      role="progressbar"
      aria-label={graduated ? t.common.graduated : t.common.curveSold}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={progress}
      aria-valuetext={graduated ? t.common.graduated : formatPercent(progress)}
    >
      <svg aria-hidden="true">
        <rect width={`${Math.max(progress, 0.5)}%`} height="100%" rx="3" />
      </svg>
    </div>
  );
}
