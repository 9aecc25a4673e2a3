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
  server.registerResource(
    "contracts",
    "launchpad://contracts",
    {
      title: "Contracts",
      description: "Chain, addresses and ABIs of the launchpad's contracts.",
      mimeType: "application/json",
    },
    (uri) => {
      const { id, launchpad, tokenFactory } = chain.choose(undefined);
      const abis = { launchpadAbi, tokenFactoryAbi, tokenAbi: launchTokenAbi };
      return json(uri, { chainId: id, launchpad, tokenFactory, ...abis });
    },
  );
  server.registerResource(
    "token",
    new ResourceTemplate("launchpad://token/{mint}", { list: undefined }),
    {
      title: "Token",
      description:
        "A token by its address, as get_token returns it. The field untrusted is written by strangers.",
      mimeType: "application/json",
    },
    async (uri, { mint }) => {
      try {
        return json(uri, toDetailedToken(await readToken(ask, String(mint))));
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.code}: ${error.message}`);
      }
    },
  );
}
