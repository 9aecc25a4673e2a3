/** The server's name for clients. Apart from server.ts, which loads the MCP SDK. */
export const serverInfo = { name: "token-launchpad", title: "Token Launchpad", version: "1.0.0" };
