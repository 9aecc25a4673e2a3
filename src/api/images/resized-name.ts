import type { resizedWidths } from "./limits.ts";

export type ResizedWidth = (typeof resizedWidths)[number];

/** Returns the file name of a resized image. */
export function resizedName(cid: string, width: ResizedWidth): string {
  return `${cid}-${width}.webp`;
}
