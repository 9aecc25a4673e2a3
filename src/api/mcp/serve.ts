import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/**
 * Answers one message with a server created for it. Tools send nothing before their result, so the response is JSON in every
 * protocol revision. By default, the SDK would open a stream for older revisions, which takes longer than most tools.
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
  // No subscriptions: our tools, prompts and resource list never change while a client is connected.
  const handler = createMcpHandler(createServer, { maxSubscriptions: 0, onerror: () => {} });
  return await handler.fetch(request, { parsedBody: body });
}
