import type { ProblemError } from "../http/problem.ts";
import type { ProblemCode } from "../http/problem-codes.ts";

/** An error that a tool returns: a code to switch on, and a message that says what to do about it. */
export class ToolError extends Error {
  override name = "ToolError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type ProblemBody = {
  status: number;
  code: ProblemCode;
  detail: string;
  errors?: ProblemError[];
};

/** Converts a REST problem to a tool error. */
export function toToolError({ code, detail, errors = [] }: ProblemBody, retryAfter: string | null) {
  const advice = retryAfter === null ? "" : ` Try again after ${retryAfter} seconds.`;
  if (code !== "contradicts_chain") return new ToolError(code, detail + advice);
  // REST's detail quotes both values, one of which anyone may have written.
  const paths = errors.map(({ path }) => path).join(", ");
  return new ToolError(
    code,
    `These fields differ from the chain: ${paths}. Use exactly the values that the factory was given; get_token returns them.`,
  );
}
