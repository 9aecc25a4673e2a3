import { ImageError } from "./image-error.ts";
import { uploadSlots } from "./limits.ts";

/** The error for an upload that finds all slots taken: those of its address, or those of everyone. */
export function refuseUpload(whose: "owner" | "everyone"): ImageError {
  return whose === "owner"
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
