import type { ImageError } from "../image-error.ts";
import type { DecoderLimits } from "../limits.ts";
import { tooComplex } from "./messages.ts";

const POLL_MS = 10;

/**
 * Watches the memory and processor time of this process while `work` runs, and calls `onExceeded` once if either exceeds its limit.
 * libvips works in separate threads, so this one is free to poll.
 */
export async function withResourceLimits<Result>(
  work: () => Promise<Result>,
  { residentBytes, cpuSeconds }: Pick<DecoderLimits, "residentBytes" | "cpuSeconds">,
  onExceeded: (error: ImageError) => void,
): Promise<Result> {
  const before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    const exceeded =
      process.memoryUsage.rss() > residentBytes
        ? "memory"
        : user + system > cpuSeconds * 1e6
          ? "time"
          : undefined;
    if (exceeded === undefined) return;
    clearInterval(timer);
    onExceeded(tooComplex(exceeded));
  }, POLL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
