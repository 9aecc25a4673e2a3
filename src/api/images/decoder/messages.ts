import type { ImageError } from "../image-error.ts";
import type { ImageType } from "../image-type.ts";

/** What an image that is stored is wanted as: of at most so many pixels across. A PNG is a still picture, also of an animation. */
export type Resizing = { width: number; format: "webp" | "png" };

/** What the service sends to a decoder process. Without `resize`, the image is encoded anew as it is. */
export type DecodeRequest = { bytes: Uint8Array; type: ImageType; resize?: Resizing | undefined };

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
