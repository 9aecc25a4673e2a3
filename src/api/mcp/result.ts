import type { CallToolResult } from "@modelcontextprotocol/server";
import { toSixDigits } from "../tokens/list/compact/significant-digits.ts";
import { maxCharacters } from "./pages.ts";
import { ToolError } from "./tool-error.ts";
import { toTexts } from "./untrusted.ts";

/**
 * Maps a result to MCP: as text for models, or as structuredContent for programs that ask for it. Having both would fill a context
 * window with everything twice. Throws a ToolError if it is too large for one.
 */
export function toResult(result: Record<string, unknown>, isStructured: boolean): CallToolResult {
  const texts = isStructured ? ["The result is in structuredContent."] : toTexts(result);
  const size = isStructured
    ? JSON.stringify(result).length
    : texts.reduce((sum, text) => sum + text.length, 0);
  if (size > maxCharacters) {
    throw new ToolError(
      "result_too_large",
      `The result has ${size} characters, but at most ${maxCharacters} are allowed: ask for fewer rows or fields.`,
    );
  }
  const content = texts.map((text) => ({ type: "text" as const, text }));
  return isStructured ? { content, structuredContent: result } : { content };
}

/** Rounds all decimals in a result to 6 significant digits. Whole numbers, such as amounts in wei, and strangers' texts stay. */
export function roundDecimals(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? value : Number(value.toPrecision(6));
  if (typeof value === "string") return /^-?\d+\.\d+$/.test(value) ? toSixDigits(value) : value;
  if (Array.isArray(value)) return value.map(roundDecimals);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === "untrusted" ? inner : roundDecimals(inner)]),
  );
}

/** Maps an error that the caller can act on to MCP. */
export function toErrorResult({ code, message }: ToolError): CallToolResult {
  return { isError: true, content: [{ type: "text", text: `${code}: ${message}` }] };
}
