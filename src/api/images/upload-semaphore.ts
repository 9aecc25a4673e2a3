import { createSemaphore, type Semaphore } from "../concurrency/semaphore.ts";
import { ImageError } from "./image-error.ts";

/** Turns of uploads: one too many is an ImageError 503, so that a burst of them can't take all memory. */
export function createUploadSemaphore(limits: { running: number; waiting: number }): Semaphore {
  return createSemaphore({
    ...limits,
    refuse: () =>
      new ImageError(503, "busy", "Too many uploads at the moment: try again in a few seconds.", {
        retryAfter: 5,
      }),
  });
}
