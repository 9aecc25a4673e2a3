import type { ImageError } from "../image-error.ts";
import type { ImageType } from "../image-type.ts";

/** What the service sends to a decoder process. With a width, the image is wanted as a WebP of at most so many pixels across. */
export type DecodeRequest = { bytes: Uint8Array; type: ImageType; width?: number | undefined };

export type ReencodedImage = {
  bytes: Uint8Array;
  /** Pixels of one frame. */
  width: number;
  height: number;
};

export type Refusal = Pick<ImageError, "status" | "code" | "message">;

/** What a decoder process answers, once for each request. */
export type DecodeReply = ({ image: ReencodedImage } | { refusal: Refusal }) & {
  /** What the process holds after that. */
  residentBytes: number;
  /** The process ends itself, whatever else it is at. */
  isLast: boolean;
};
