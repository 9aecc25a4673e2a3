import type { CallToolResult } from "@modelcontextprotocol/server";
import { maxCharacters } from "./pages.ts";
import { ToolError } from "./tool-error.ts";
import { withoutUntrusted } from "./untrusted.ts";

/**
 * Maps a result to MCP: all of it as structuredContent, and everything but untrusted fields also as text, for clients that
 * read only text. Throws a ToolError if it is too large for a context window.
 */
export function toResult(structuredContent: Record<string, unknown>): CallToolResult {
  const text = JSON.stringify(withoutUntrusted(structuredContent));
  const size = text.length + JSON.stringify(structuredContent).length;
  if (size > maxCharacters) {
    throw new ToolError(
      "result_too_large",
      `The result has ${size} characters, but at most ${maxCharacters} are allowed: ask for fewer rows or fields.`,
    );
  }
  return { structuredContent, content: [{ type: "text", text }] };
}

/** Maps an error that the caller can act on to MCP. */
export function toErrorResult({ code, message }: ToolError): CallToolResult {
  return { isError: true, content: [{ type: "text", text: `${code}: ${message}` }] };
}
