import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsModule from "ajv-formats";
import { expect } from "vitest";

/** The newest revision of the protocol and the two before it. */
export const revisions = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;

// biome-ignore lint/suspicious/noExplicitAny: each tool's output schema checks its shape.
type Content = any;

export type McpClient = Awaited<ReturnType<typeof connectMcp>>;

/**
 * A client of /mcp that speaks the given revision and asks for structured results, unless it reads text. It checks every one
 * against the size limit, and against the tool's output schema if there is one.
 */
export async function connectMcp(
  url: string,
  revision: (typeof revisions)[number] = revisions[0],
  { isStructured = true } = {},
) {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    revision === revisions[0]
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  );
  const statuses: number[] = [];
  await client.connect(
    new StreamableHTTPClientTransport(new URL(isStructured ? "/mcp?structured=true" : "/mcp", url), {
      async fetch(input, init) {
        const response = await fetch(input, init);
        statuses.push(response.status);
        return response;
      },
    }),
  );
  const { tools } = await client.listTools();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formatsModule.default(ajv);
  const checks = new Map(tools.map(({ name, outputSchema = {} }) => [name, ajv.compile(outputSchema)]));

  /** Calls a tool and returns the whole result. */
  async function call(name: string, args: Record<string, unknown> = {}) {
    const result = await client.callTool({ name, arguments: args });
    expect(JSON.stringify([result.content, result.structuredContent ?? {}]).length).toBeLessThanOrEqual(
      25_000,
    );
    if (result.isError !== true && isStructured) {
      const check = checks.get(name);
      expect([check?.(result.structuredContent), check?.errors]).toEqual([true, null]);
    }
    const parts = result.content.map((part) => (part.type === "text" ? part.text : ""));
    const isError = result.isError === true;
    return { text: parts.join(""), parts, isError, content: result.structuredContent as Content };
  }

  return {
    client,
    tools,
    /** The HTTP statuses of all answers. */
    statuses,
    call,
    /** Calls a tool that must succeed and returns its structured content. */
    async use(name: string, args: Record<string, unknown> = {}): Promise<Content> {
      const { isError, text, content } = await call(name, args);
      if (isError) throw new Error(`${name}: ${text}`);
      return content;
    },
    close: () => client.close(),
  };
}
