import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { guideText } from "../manifest/agent-guide.ts";
import type { Ask } from "./ask.ts";
import type { ChainAccess } from "./chain-access.ts";
import { ToolError } from "./tool.ts";
import { readToken, toDetailedToken } from "./tools/token-result.ts";

const json = (uri: URL, value: unknown) => ({
  contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify(value) }],
});

/** Adds resources: the guide, the contracts, and tokens by address. */
export function addResources(server: McpServer, { ask, chain }: { ask: Ask; chain: ChainAccess }): void {
  server.registerResource(
    "guide",
    "launchpad://guide",
    {
      title: "Guide",
      description: "How launching and trading work, and answers to common questions.",
      mimeType: "text/markdown",
    },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: "text/markdown", text: guideText }] }),
  );
  const byDefault = chain.choose(undefined);
  for (const { id, launchpad, tokenFactory } of chain.all) {
    const [name, uri, where] =
      id === byDefault.id
        ? ["contracts", "launchpad://contracts", ""]
        : [`contracts-${id}`, `launchpad://${id}/contracts`, ` on chain ${id}`];
    server.registerResource(
      name,
      uri,
      {
        title: `Contracts${where}`,
        description: `Chain, addresses and ABIs of the launchpad's contracts${where}.`,
        mimeType: "application/json",
      },
      (uri) => {
        const abis = { launchpadAbi, tokenFactoryAbi, tokenAbi: launchTokenAbi };
        return json(uri, { chainId: id, launchpad, tokenFactory, ...abis });
      },
    );
  }
  const tokenTemplates = [
    { name: "token", path: "token/{mint}", title: "Token", which: "its address" },
    {
      name: "token-on-chain",
      path: "{chainId}/token/{mint}",
      title: "Token on a chain",
      which: "chain id (56 or 97) and address",
    },
  ];
  for (const { name, path, title, which } of tokenTemplates) {
    server.registerResource(
      name,
      new ResourceTemplate(`launchpad://${path}`, { list: undefined }),
      {
        title,
        description: `A token by ${which}, as get_token returns it. The field untrusted is written by strangers.`,
        mimeType: "application/json",
      },
      async (uri, { mint, chainId }) => {
        try {
          const chain = chainId === undefined ? undefined : Number(chainId);
          return json(uri, toDetailedToken(await readToken(ask, String(mint), chain)));
        } catch (error) {
          if (!(error instanceof ToolError)) throw error;
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.code}: ${error.message}`);
        }
      },
    );
  }
}
