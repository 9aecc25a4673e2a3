import { ImageError } from "./image-error.ts";
import { uploadSlots } from "./limits.ts";

/** Returns the error for an upload beyond the limit of its address, or of everyone. */
export function uploadLimitError(limit: "owner" | "everyone"): ImageError {
  return limit === "owner"
    ? new ImageError(
        429,
        "too_many_uploads",
        `${uploadSlots.maxPerOwner} uploads at a time may come from one address: try again when one is done.`,
        { retryAfter: 5 },
      )
    : new ImageError(503, "busy", "Too many uploads at the moment: try again in a few seconds.", {
        retryAfter: 5,
      });
}
