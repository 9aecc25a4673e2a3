import { ResponseBodyTooLargeError } from "viem";
import { readBounded } from "../../../../chain-access/rpc-client.ts";
import { ProviderError, type ProviderName } from "./provider.ts";

export type ProviderCall = {
  provider: ProviderName;
  method: "GET" | "POST" | "DELETE";
  url: string;
  token: string | undefined;
  body?: FormData | undefined;
  timeoutMs: number;
};

export type ProviderResponse = { status: number; text: string };

const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_RETRY_AFTER = 3_600;

/**
 * Calls a provider over HTTP. Resolves to any response with a status below 500 except 429. Throws a ProviderError: 503 if the provider
 * is unreachable, too slow, limits us or fails, 502 if the response is too long. Redirects are refused, since they would forward the
 * token.
 */
export async function callProvider({
  provider,
  method,
  url,
  token,
  body,
  timeoutMs,
}: ProviderCall): Promise<ProviderResponse> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      body: body ?? null,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    const refused = errorCode(cause) === "ECONNREFUSED" || errorCode(cause) === "ENOTFOUND";
    throw new ProviderError(503, provider, "can't be reached", { cause, maybeStored: !refused });
  }
  const text = await readText(response, provider);
  if (response.status === 429)
    throw new ProviderError(503, provider, "asks us to slow down", {
      retryAfter: retryAfter(response),
      maybeStored: false,
    });
  if (response.status >= 500)
    throw new ProviderError(503, provider, `failed with status ${response.status}`, {
      retryAfter: retryAfter(response),
      cause: new Error(text.slice(0, 500)),
    });
  return { status: response.status, text };
}

async function readText(response: Response, provider: ProviderName): Promise<string> {
  try {
    return new TextDecoder().decode(await readBounded(response, MAX_ANSWER_BYTES));
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

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get("retry-after"));
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER) : 30;
}

function errorCode(error: unknown): unknown {
  const { cause } = error as { cause?: { code?: unknown; errors?: { code?: unknown }[] } };
  return cause?.code ?? cause?.errors?.[0]?.code;
}
