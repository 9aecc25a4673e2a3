import type { components } from "./api-types.ts";

/** A problem as the API answers with it (RFC 9457). */
export type Problem = components["schemas"]["Problem"];

/** Stable: switch on it. */
export type ProblemCode = Problem["code"];

/** Thrown where the API answers with an error: `code` says which, the message what to do. */
export class LaunchpadError extends Error {
  override name = "LaunchpadError";
  readonly status: number;
  /** `not_the_api` where something else answered, such as a proxy. */
  readonly code: ProblemCode | "not_the_api";
  /** Each wrong value of the request. */
  readonly errors: { path: string; message: string }[];
  /** Seconds after which to try again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, problem: Partial<Problem> | undefined) {
    super(problem?.detail ?? `${response.url} answered ${response.status} without a problem`);
    this.status = response.status;
    this.code = problem?.code ?? "not_the_api";
    this.errors = problem?.errors ?? [];
    this.retryAfterSeconds = retryAfter(response);
  }
}

/** The error of a response that is not ok. Reads its body. */
export async function errorOf(response: Response): Promise<LaunchpadError> {
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json") === true;
  const problem = isProblem ? ((await response.json()) as Problem) : undefined;
  if (!isProblem) await response.body?.cancel();
  return new LaunchpadError(response, problem);
}

/** Seconds, as Retry-After has them. */
export function retryAfter({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
