import type { components } from "./api-types.ts";

/** The body of an error response (RFC 9457). */
export type Problem = components["schemas"]["Problem"];

/** The error codes of the API. They are stable: switch on them. */
export type ProblemCode = Problem["code"];

/** Thrown if the API answers with an error. `code` identifies it, and the message says what to do. */
export class LaunchpadError extends Error {
  override name = "LaunchpadError";
  readonly status: number;
  /** `not_the_api` if something else answered, such as a proxy. */
  readonly code: ProblemCode | "not_the_api";
  /** The invalid values in the request. */
  readonly errors: { path: string; message: string }[];
  /** The number of seconds to wait before trying again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, problem: Partial<Problem> | undefined) {
    super(problem?.detail ?? `${response.url} answered ${response.status}, but not as the API does`);
    this.status = response.status;
    this.code = problem?.code ?? "not_the_api";
    this.errors = problem?.errors ?? [];
    this.retryAfterSeconds = retryAfter(response);
  }
}

/** Reads the error from the body of a response that is not ok. */
export async function readError(response: Response): Promise<LaunchpadError> {
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json") === true;
  const problem = isProblem ? ((await response.json()) as Problem) : undefined;
  if (!isProblem) await response.body?.cancel();
  return new LaunchpadError(response, problem);
}

/** The seconds in Retry-After, if it has any. */
export function retryAfter({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
