import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsModule from "ajv-formats";
import { expect } from "vitest";

/** The newest revision of the protocol, and the two before it. */
export const revisions = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;

// biome-ignore lint/suspicious/noExplicitAny: each tool's output schema checks what it is.
type Content = any;

export type McpClient = Awaited<ReturnType<typeof connectMcp>>;

/**
 * A client of /mcp, with that revision. Every result of a tool is compared with the tool's output schema, and with the limit
 * of its size.
 */
export async function connectMcp(url: string, revision: (typeof revisions)[number] = revisions[0]) {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    revision === revisions[0]
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  );
  const statuses: number[] = [];
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", url), {
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

  /** The whole result of a tool. */
  async function call(name: string, args: Record<string, unknown> = {}) {
    const result = await client.callTool({ name, arguments: args });
    expect(JSON.stringify([result.content, result.structuredContent ?? {}]).length).toBeLessThanOrEqual(
      25_000,
    );
    if (result.isError !== true) {
      const check = checks.get(name);
      expect([check?.(result.structuredContent), check?.errors]).toEqual([true, null]);
    }
    const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return { text, isError: result.isError === true, content: result.structuredContent as Content };
  }

  return {
    client,
    tools,
    /** The statuses of HTTP that it was answered with. */
    statuses,
    call,
    /** The structured content of a tool that succeeds. */
    async use(name: string, args: Record<string, unknown> = {}): Promise<Content> {
      const { isError, text, content } = await call(name, args);
      if (isError) throw new Error(`${name}: ${text}`);
      return content;
    },
    close: () => client.close(),
  };
}
