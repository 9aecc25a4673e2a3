import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/**
 * Answers one message with a server made for it. Tools say nothing before their result, so
 * that the answer is JSON in every revision: by itself, the SDK opens a stream for the older ones, which takes longer than most
 * tools.
 */
export async function serve(
  request: Request,
  body: unknown,
  createServer: () => McpServer,
): Promise<Response> {
  if (await isLegacyRequest(request, body)) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await createServer().connect(transport);
    return await transport.handleRequest(request, { parsedBody: body });
  }
  // Nothing of ours changes while a client is connected.
  const handler = createMcpHandler(createServer, { maxSubscriptions: 0, onerror: () => {} });
  return await handler.fetch(request, { parsedBody: body });
}
