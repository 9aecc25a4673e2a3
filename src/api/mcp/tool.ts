import type { z } from "zod";
import type { Ask, AskWithBlock, Send } from "./ask.ts";
import type { ChainAccess } from "./chain-access.ts";

export type ToolContext = {
  /** Reads over REST. */
  ask: Ask;
  askWithBlock: AskWithBlock;
  /** Runs a GraphQL query, which can't write. */
  askGraphql: (body: object) => Promise<unknown>;
  /** The chain itself, for what the index does not have. Reads only. */
  chain: ChainAccess;
};

type Description<Input extends z.ZodType, Output extends z.ZodObject> = {
  name: string;
  title: string;
  /** When to use it and when not, for a model to read. */
  description: string;
  input: Input;
  output: Output;
  /** Whether its results have text that others wrote, or come from the chain as it is now. */
  isOpenWorld: boolean;
};

export type ReadingTool<Input extends z.ZodType, Output extends z.ZodObject> = Description<Input, Output> & {
  writes: false;
  run(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>>;
};

export type WritingTool<Input extends z.ZodType, Output extends z.ZodObject> = Description<Input, Output> & {
  writes: true;
  run(input: z.output<Input>, context: ToolContext & { send: Send }): Promise<z.input<Output>>;
};

// biome-ignore lint/suspicious/noExplicitAny: each tool is checked by its own schemas.
export type Tool = ReadingTool<any, any> | WritingTool<any, any>;

/** A tool that changes nothing: it has no way to write. */
export function readingTool<Input extends z.ZodType, Output extends z.ZodObject>(
  tool: Omit<ReadingTool<Input, Output>, "writes">,
): ReadingTool<Input, Output> {
  return { ...tool, writes: false };
}

/** A tool that may write off the chain, as anyone may over REST. */
export function writingTool<Input extends z.ZodType, Output extends z.ZodObject>(
  tool: Omit<WritingTool<Input, Output>, "writes">,
): WritingTool<Input, Output> {
  return { ...tool, writes: true };
}

/** What clients are told of a tool, as far as it follows from what it can reach. */
export const annotationsOf = ({ title, writes, isOpenWorld }: Tool) => ({
  title,
  readOnlyHint: !writes,
  // A registration that is signed later replaces one, and nothing is ever deleted.
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: isOpenWorld,
});
