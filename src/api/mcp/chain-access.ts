import { ContractFunctionZeroDataError, type PublicClient } from "viem";
import { hasCause, isRevert } from "../../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { type ChainClients, chainUnavailable } from "../chain/chain-client.ts";
import type { Chains } from "../chain/chains.ts";
import { createDexTermsReader } from "../chain/dex-terms.ts";
import { ProblemException } from "../http/problem.ts";
import { ToolError } from "./tool.ts";

/** Whether the chain did answer, but the contract doesn't respond like a token. */
const isContractAnswer = (error: unknown) =>
  isRevert(error) || hasCause(error, (cause) => cause instanceof ContractFunctionZeroDataError);

export type ChainAccess = ReturnType<typeof createChainAccess>;

/** Creates the tools' read access to the chain. */
export function createChainAccess(chains: Chains, getClient: ChainClients) {
  const readDexTerms = createDexTermsReader(getClient);

  function choose(chainId: number | undefined): ChainSettings {
    try {
      return chains.choose(chainId);
    } catch (error) {
      if (error instanceof ProblemException) throw new ToolError(error.problem.code, error.message);
      throw error;
    }
  }

  return {
    /** Returns the settings of a chain. Throws a ToolError if it is not indexed here. */
    choose,
    /** The settings of all chains that are indexed here. */
    all: chains.all,
    /** Reads the DEX router from the launchpad itself, once per chain. */
    async readRouter(chainId: number | undefined): Promise<string | undefined> {
      return (await readDexTerms(choose(chainId)))?.router;
    },
    /**
     * Reads with the chain's client. Throws a ToolError if its endpoints don't answer, or the contract is not a token.
     */
    async read<Result>(
      chainId: number | undefined,
      work: (client: PublicClient) => Promise<Result>,
    ): Promise<Result> {
      const chain = choose(chainId);
      try {
        return await work(getClient(chain));
      } catch (error) {
        if (error instanceof ToolError) throw error;
        if (isContractAnswer(error)) {
          throw new ToolError(
            "token_not_found",
            "There is no token contract at this address: check the mint.",
          );
        }
        const { code, detail } = chainUnavailable(chain.id, error).problem;
        throw new ToolError(code, detail);
      }
    },
  };
}
