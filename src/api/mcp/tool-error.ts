import type { ProblemError } from "../http/problem.ts";
import type { ProblemCode } from "../http/problem-codes.ts";

/** An error that a tool answers with: a code to switch on, and what to do about it. */
export class ToolError extends Error {
  override name = "ToolError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type AnsweredProblem = {
  status: number;
  code: ProblemCode;
  detail: string;
  errors?: ProblemError[];
};

/** REST's problem as a tool error. */
export function toToolError({ code, detail, errors = [] }: AnsweredProblem, retryAfter: string | null) {
  const advice = retryAfter === null ? "" : ` Try again after ${retryAfter} seconds.`;
  if (code !== "contradicts_chain") return new ToolError(code, detail + advice);
  // REST names both values, one of which anyone may have written.
  const paths = errors.map(({ path }) => path).join(", ");
  return new ToolError(
    code,
    `These fields differ from the chain: ${paths}. Give exactly what the factory was given; get_token has it.`,
  );
}
