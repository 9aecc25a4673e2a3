import { ResponseBodyTooLargeError } from "viem";
import { readBounded } from "../../../../chain-access/rpc-client.ts";
import { ProviderError, type ProviderName } from "./provider.ts";

const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_RETRY_AFTER = 3_600;

export type ProviderRequest = {
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
 * slow, 502 if the response is too long. Redirects are refused, since they would forward the credentials.
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
      redirect: "error",
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
  const seconds = Number(headers.get("retry-after"));
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER) : 30;
}

function errorCode(error: unknown): unknown {
  const { cause } = error as { cause?: { code?: unknown; errors?: { code?: unknown }[] } };
  return cause?.code ?? cause?.errors?.[0]?.code;
}
