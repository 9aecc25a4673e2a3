import type { CallToolResult } from "@modelcontextprotocol/server";
import { mostCharacters } from "./pages.ts";
import { ToolError } from "./tool-error.ts";
import { trustedPart } from "./untrusted.ts";

/**
 * A result: all of it as structuredContent, and what is not untrusted also as text, for clients that read only that. Throws a
 * ToolError where it is too large for a context window.
 */
export function toResult(structuredContent: Record<string, unknown>): CallToolResult {
  const text = JSON.stringify(trustedPart(structuredContent));
  const size = text.length + JSON.stringify(structuredContent).length;
  if (size > mostCharacters) {
    throw new ToolError(
      "result_too_large",
      `The result has ${size} characters, and ${mostCharacters} are the most: ask for fewer rows or fields.`,
    );
  }
  return { structuredContent, content: [{ type: "text", text }] };
}

/** An error that the caller can do something about. */
export function toErrorResult({ code, message }: ToolError): CallToolResult {
  return { isError: true, content: [{ type: "text", text: `${code}: ${message}` }] };
}
