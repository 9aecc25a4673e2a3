import type { Dag } from "../dag.ts";
import { ImageError } from "../image-error.ts";

export type ProviderName = "local" | "kubo" | "pinata" | "s3";

/** The file for a provider to store, and the CID that it must result in. */
export type ProvidedImage = { cid: string; bytes: Uint8Array; mimeType: string; dag: Dag };

/** A service that stores images by CID. */
export type ImageProvider = {
  readonly name: ProviderName;
  /**
   * Stores and pins an image. It is no error if the provider has it already. Resolves to the provider's reference, to be passed to
   * `remove`, or null. Throws a ProviderError.
   */
  add(image: ProvidedImage): Promise<string | null>;
  /** Removes an image. It is no error if the provider doesn't have it. Throws a ProviderError. */
  remove(cid: string, reference: string | null): Promise<void>;
};

/** A provider that images are also read from, so that a process needs no folder that has them all. */
export type RemoteStore = ImageProvider & {
  /**
   * Reads an image, verified against its CID. Resolves to undefined if it is missing or damaged. Throws a ProviderError.
   */
  read(cid: string): Promise<{ bytes: Buffer; dag: Dag } | undefined>;
  /** Whether it has a file of this many bytes under the CID. Throws a ProviderError. */
  has(cid: string, size: number): Promise<boolean>;
};

/** Thrown if the provider is down (503) or gives an unexpected response (502). */
export class ProviderError extends ImageError {
  override name = "ProviderError";
  /** Whether the provider may have stored the image despite the failure. */
  readonly maybeStored: boolean;
  /** What happened, as a predicate of the provider's name. */
  readonly reason: string;

  constructor(
    status: 502 | 503,
    provider: ProviderName,
    reason: string,
    {
      retryAfter = 30,
      cause,
      maybeStored = true,
    }: { retryAfter?: number; cause?: unknown; maybeStored?: boolean } = {},
  ) {
    super(
      status,
      status === 503 ? "image_provider_unavailable" : "image_provider_error",
      `The image provider (${provider}) ${reason}. Nothing was kept: upload again later.`,
      { retryAfter, cause },
    );
    this.maybeStored = maybeStored;
    this.reason = reason;
  }
}
