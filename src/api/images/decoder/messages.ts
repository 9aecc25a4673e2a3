import type { ImageError } from "../image-error.ts";
import type { ImageType } from "../image-type.ts";

/** How to resize a stored image: to at most this width in pixels. A PNG is a still picture, even of an animation. */
export type Resizing = { width: number; format: "webp" | "png" };

/** A message from the service to a decoder process. Without `resize`, the image is re-encoded in its own size. */
export type DecodeRequest = { bytes: Uint8Array; type: ImageType; resize?: Resizing | undefined };

export type ReencodedImage = {
  bytes: Uint8Array;
  /** Pixels of one frame. */
  width: number;
  height: number;
};

export type Refusal = Pick<ImageError, "status" | "code" | "message">;

/** A decoder process's reply, one for each request. */
export type DecodeReply = ({ image: ReencodedImage } | { refusal: Refusal }) & {
  /** The resident memory of the process afterwards. */
  residentBytes: number;
  /** Whether the process ends itself after this reply. */
  isLast: boolean;
};
