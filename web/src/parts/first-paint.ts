import { signal } from "@preact/signals";

/** Whether the browser has painted the page for the first time. What can't be seen by then waits for it, so that tokens show sooner. */
export const hasPainted = signal(false);

/** A frame comes late on a slow device, and never in a hidden tab, which has nothing to paint. */
const maxWaitMs = 1_000;

/** Resolves once the first frame after this call has been painted. */
export async function firstPaint(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, document.hidden ? 0 : maxWaitMs);
    requestAnimationFrame(() => setTimeout(resolve));
  });
  hasPainted.value = true;
}
