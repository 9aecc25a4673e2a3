import type { z } from "zod";
import { unknownParameter } from "../http/known-parameters.ts";
import type { Tool } from "./tool.ts";
import { ToolError } from "./tool-error.ts";

/** The most wrong arguments that an error names. */
const maxErrors = 5;

/**
 * Parses the arguments of a call. Throws a ToolError that names each wrong one and what it should be, in the words of REST: a
 * misspelled filter would otherwise return everything.
 */
export function parseInput({ name, input, otherNames = {} }: Tool, given: unknown): Record<string, unknown> {
  const parsed = input.safeParse(given ?? {}, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const known = Object.keys(input.shape);
  const unknown: string[] = [];
  const wrong: string[] = [];
  for (const issue of parsed.error.issues as z.core.$ZodIssue[]) {
    const [argument = "arguments"] = issue.path;
    if (issue.code === "unrecognized_keys" && issue.path.length === 0) {
      unknown.push(...issue.keys.map((key) => unknownArgument(key, known)));
    } else wrong.push(`${String(argument)} ${issue.message}`);
  }
  // A misspelled argument explains why another one is missing.
  throw new ToolError("invalid_request", [...unknown, ...wrong].slice(0, maxErrors).join("; "));

  function unknownArgument(argument: string, known: string[]): string {
    const renamed = Object.hasOwn(otherNames, argument) ? otherNames[argument] : undefined;
    if (renamed !== undefined) return `${argument} is not an argument of ${name}: it is called ${renamed}`;
    const shown = argument.slice(0, 40);
    const { message } = unknownParameter(shown, known);
    return `${shown} ${message.replace("a parameter of this request", `an argument of ${name}`)}`;
  }
}

/** Completes the sentence "`argument` ..." for checks whose schema has no message of its own. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") {
    if (issue.input === undefined) return "is missing";
    return `must be ${nouns[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === "invalid_value") return `must be ${issue.values.map(String).join(" or ")}`;
  if (issue.code === "too_big" || issue.code === "too_small") {
    const unit = units[issue.origin] ?? "";
    return issue.code === "too_big"
      ? `must ${unit === "" ? "be" : "have"} at most ${issue.maximum}${unit}`
      : `must ${unit === "" ? "be" : "have"} at least ${issue.minimum}${unit}`;
  }
  if (issue.code === "not_multiple_of") return `must be a multiple of ${issue.divisor}`;
  return undefined;
}

const nouns: Partial<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const units: Partial<Record<string, string>> = { string: " characters", array: " entries" };
