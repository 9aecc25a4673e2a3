import { ResponseBodyTooLargeError } from "viem";
import { readBounded } from "../../../../chain-access/rpc-client.ts";
import { codeOf } from "../../../../config/error-code.ts";
import { readRetryAfter } from "../../../../config/parse.ts";
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

const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_RETRY_AFTER_MS = 3_600_000;

type ProviderRequest = {
  provider: ProviderName;
  method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  url: string;
  headers: Headers | Record<string, string>;
  body?: FormData | Uint8Array<ArrayBuffer> | undefined;
  timeoutMs: number;
  /** The most bytes of an answer. */
  maxBytes?: number;
};

type ReceivedResponse = { status: number; headers: Headers; bytes: Buffer };

/**
 * Sends a request to a provider over HTTP. Resolves to any response. Throws a ProviderError: 503 if the provider is unreachable or too
 * slow, 502 if the response is too long. A redirect is a response like others: to follow it would forward the credentials.
 */
export async function requestProvider({
  provider,
  url,
  timeoutMs,
  maxBytes = MAX_ANSWER_BYTES,
  ...init
}: ProviderRequest): Promise<ReceivedResponse> {
  let response: Response;
  try {
    response = await fetch(url, {
      ...init,
      body: init.body ?? null,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    const refused = errorCode(cause) === "ECONNREFUSED" || errorCode(cause) === "ENOTFOUND";
    throw new ProviderError(503, provider, "can't be reached", { cause, maybeStored: !refused });
  }
  const { status, headers } = response;
  return { status, headers, bytes: await readAnswer(response, { provider, maxBytes }) };
}

/** Throws a ProviderError if the response means that the provider limits us (429) or fails (500 and above). */
export function assertAvailable(provider: ProviderName, { status, headers, bytes }: ReceivedResponse): void {
  if (status === 429)
    throw new ProviderError(503, provider, "asks us to slow down", {
      retryAfter: retryAfter(headers),
      maybeStored: false,
    });
  if (status >= 500)
    throw new ProviderError(503, provider, `failed with status ${status}`, {
      retryAfter: retryAfter(headers),
      cause: new Error(bytes.toString("utf8", 0, 500)),
    });
}

export type ProviderCall = Omit<ProviderRequest, "headers" | "maxBytes"> & { token: string | undefined };

export type ProviderResponse = { status: number; text: string };

/** Calls a provider over HTTP. Resolves to any response with a status below 500 except 429. Throws a ProviderError. */
export async function callProvider({ token, ...request }: ProviderCall): Promise<ProviderResponse> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await requestProvider({ ...request, headers });
  assertAvailable(request.provider, response);
  return { status: response.status, text: new TextDecoder().decode(response.bytes) };
}

async function readAnswer(
  response: Response,
  { provider, maxBytes }: { provider: ProviderName; maxBytes: number },
): Promise<Buffer> {
  try {
    return await readBounded(response, maxBytes);
  } catch (cause) {
    throw cause instanceof ResponseBodyTooLargeError
      ? new ProviderError(502, provider, "answered more than it should")
      : new ProviderError(503, provider, "broke off its answer", { cause });
  }
}

/** Returns the error for a response which means that the provider has not stored anything. */
export function providerRefused(provider: ProviderName, status: number, reason: string): ProviderError {
  const cause = new Error(reason.slice(0, 500));
  return new ProviderError(502, provider, `refused with status ${status}`, { cause, maybeStored: false });
}

function retryAfter(headers: Headers): number {
  return Math.ceil((readRetryAfter(headers.get("retry-after"), MAX_RETRY_AFTER_MS) || 30_000) / 1_000);
}

function errorCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return codeOf(cause) || (cause instanceof AggregateError ? codeOf(cause.errors[0]) : "");
}
