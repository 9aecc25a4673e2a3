import { z } from "zod";
import { transfer } from "../../transfers/transfer.schema.ts";
import { accountTransfersRoute, tokenTransfersRoute } from "../../transfers/transfers.routes.ts";
import { address, chainId, limit } from "../inputs.ts";
import { cursorInput, nextCursor, readFittingPage } from "../pages.ts";
import { readingTool, ToolError } from "../tool.ts";
import { untrustedNames, withUntrustedNames } from "../untrusted.ts";

const row = transfer.omit({ name: true, symbol: true }).extend({ untrusted: untrustedNames });

export const getTransfers = readingTool({
  name: "get_transfers",
  title: "Get transfers",
  description:
    "Transfers of tokens that are no part of a trade (gifts, airdrops, burns), newest first: of a token, by and to an account, or both. Give mint, account or both.",
  isOpenWorld: true,
  input: z.object({
    mint: address("Only of this token.").optional(),
    account: address("Only by or to this account.").optional(),
    limit: limit(50, 10),
    cursor: cursorInput,
    chainId,
  }),
  output: z.object({ transfers: z.array(row), nextCursor }),
  async run({ mint, account, limit, cursor, chainId }, { ask }) {
    const { rows, ...place } = await readFittingPage({ cursor, limit }, async (page) => {
      const query = { ...page, chainId };
      const { transfers, nextCursor } = await readTransfers(query);
      return { rows: transfers.map(withUntrustedNames), nextCursor };
    });
    return { transfers: rows, ...place };

    function readTransfers(query: {
      limit: number;
      cursor: string | undefined;
      chainId?: 56 | 97 | undefined;
    }) {
      if (mint !== undefined) {
        return ask(tokenTransfersRoute, { path: { mint }, query: { ...query, account } });
      }
      if (account !== undefined) return ask(accountTransfersRoute, { path: { address: account }, query });
      throw new ToolError("invalid_request", "Give mint, account or both.");
    }
  },
});
