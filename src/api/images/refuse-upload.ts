import { ImageError } from "./image-error.ts";
import { uploadSlots } from "./limits.ts";

/** The error for an upload too many: of those of one address, or of all. */
export function refuseUpload(whose: "owner" | "everyone"): ImageError {
  const code = whose === "owner" ? "too_many_uploads" : "busy";
  const message =
    whose === "owner"
      ? `${uploadSlots.mostPerOwner} uploads at a time may come from one address: try again when one is done.`
      : "Too many uploads at the moment: try again in a few seconds.";
  return new ImageError(whose === "owner" ? 429 : 503, code, message, { retryAfter: 5 });
}
