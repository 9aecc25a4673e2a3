import type { Dag } from "../dag.ts";
import { ImageError } from "../image-error.ts";

export type ProviderName = "local" | "kubo" | "pinata";

/** What a provider is given: the file, and the CID that it has to come out with. */
export type ProvidedImage = { cid: string; bytes: Uint8Array; mimeType: string; dag: Dag };

/** A place that keeps images by their CID. */
export type ImageProvider = {
  readonly name: ProviderName;
  /**
   * Stores and pins an image; an image that it has already is no error. Resolves to a reference of the
   * provider's own that `remove` wants back, or null. Throws a ProviderError.
   */
  add(image: ProvidedImage): Promise<string | null>;
  /** Removes an image; one that it does not have is no error. Throws a ProviderError. */
  remove(cid: string, reference: string | null): Promise<void>;
};

/** The provider is down (503) or answered something that it should not have (502). */
export class ProviderError extends ImageError {
  override name = "ProviderError";
  /** Whether the provider may have stored the image in spite of the failure. */
  readonly maybeStored: boolean;

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
  }
}
