import { z } from "zod";
import type { ProblemCode, ProblemError } from "../http/problem.ts";
import type { Ask, AskGraphql, Send } from "./ask.ts";
import type { ChainAccess } from "./chain-access.ts";

export type ToolContext = {
  /** Reads over REST. */
  ask: Ask;
  askGraphql: AskGraphql;
  /** Reads the chain itself, for data that the index does not have. */
  chain: ChainAccess;
  /** Whether the caller wants all digits of decimals. */
  exact: boolean;
};

type Description<Input = z.ZodObject, Output = z.ZodObject> = {
  name: string;
  title: string;
  /** Tells a model when to use the tool and when not. */
  description: string;
  input: Input;
  /** Names that clients may use for an argument, such as an earlier one, with its name. */
  otherNames?: Record<string, string>;
  output: Output;
  /** Whether its decimals are never rounded, since they are signed, sent, or asked for by name. */
  isExact?: true;
  /** Whether its results contain strangers' text, or the chain's latest state. */
  isOpenWorld: boolean;
};

/** What every reading tool of the index takes and returns besides its own. A tool that knows its block better returns that. */
const minBlock = z
  .int()
  .min(0)
  .max(9_999_999_999)
  .optional()
  .describe("Wait for this block: your last transaction's.");
const block = z
  .int()
  .nullable()
  .describe(
    "The last indexed block that everything here reflects. Null if unknown, or if nothing depends on it.",
  );

const exact = z.boolean().optional().describe("Not rounded to 6 digits.");

type ReadingDescription<Input extends z.ZodObject, Output extends z.ZodObject> = Description<
  Input,
  Output
> & {
  run(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>>;
};

type WritingDescription<Input extends z.ZodObject, Output extends z.ZodObject> = Description<
  Input,
  Output
> & {
  run(input: z.output<Input>, context: ToolContext & { send: Send }): Promise<z.input<Output>>;
};

/** A tool with the arguments and results that it has in MCP, which are more than `run` knows. */
type ReadingTool<Input extends z.ZodObject, Output extends z.ZodObject> = Description &
  Pick<ReadingDescription<Input, Output>, "run"> & { writes: false };
type WritingTool<Input extends z.ZodObject, Output extends z.ZodObject> = Description &
  Pick<WritingDescription<Input, Output>, "run"> & { writes: true };

// biome-ignore lint/suspicious/noExplicitAny: each tool is checked by its own schemas.
export type Tool = ReadingTool<any, any> | WritingTool<any, any>;

/**
 * Declares a read-only tool, whose context has no way to write. It reads the index, so the server lets its reads wait for
 * `minBlock` and adds `block` to its results.
 */
export function readingTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ReadingDescription<Input, Output>,
): ReadingTool<Input, Output> {
  return {
    ...tool,
    input: toArguments(tool, { minBlock }),
    output: z.object({ block, ...tool.output.shape }),
    writes: false,
  };
}

/** Declares a read-only tool whose result doesn't depend on what is indexed, or which is cached and names its block in `asOf`. */
export function readingToolWithoutBlock<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ReadingDescription<Input, Output>,
): ReadingTool<Input, Output> {
  return { ...tool, input: toArguments(tool), writes: false };
}

/** Declares a tool that may write off-chain data, as anyone may over REST. */
export function writingTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: WritingDescription<Input, Output>,
): WritingTool<Input, Output> {
  return { ...tool, input: tool.input.strict(), writes: true };
}

/** A reading tool's arguments, with those that all of them have. Unknown ones are refused, as unknown parameters are over REST. */
function toArguments(
  { input, isExact }: Pick<Description, "input" | "isExact">,
  others: z.ZodRawShape = {},
): z.ZodObject {
  return input.extend({ ...(isExact ? {} : { exact }), ...others }).strict();
}

/** Derives a tool's MCP annotations from what it can do. */
export const toAnnotations = ({ writes, isOpenWorld }: Tool) => ({
  readOnlyHint: !writes,
  // A later signed registration replaces an earlier one, and nothing is ever deleted.
  destructiveHint: false,
  ...(writes ? { idempotentHint: true } : {}),
  openWorldHint: isOpenWorld,
});

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
  const advice =
    retryAfter === null ? "" : ` Try again after ${retryAfter} ${retryAfter === "1" ? "second" : "seconds"}.`;
  if (code !== "contradicts_chain") return new ToolError(code, detail + advice);
  // REST's detail quotes both values, one of which anyone may have written.
  const paths = errors.map(({ path }) => path).join(", ");
  return new ToolError(
    code,
    `These fields differ from the chain: ${paths}. Use exactly the values that the factory was given. Without a signature, leave name and symbol out. GET /api/token/{mint} over REST returns them; a name or symbol in get_token lacks invisible characters and repeated spaces.`,
  );
}
