import type { resizedWidths } from "./limits.ts";

export type ResizedWidth = (typeof resizedWidths)[number];

/** The file of an image that was resized. */
export function resizedName(cid: string, width: ResizedWidth): string {
  return `${cid}-${width}.webp`;
}
