import { ContractFunctionZeroDataError, type PublicClient } from "viem";
import { hasCause, isRevert } from "../../../chain-access/failures.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { type ChainClients, chainUnavailable } from "../chain/chain-client.ts";
import type { Chains } from "../chain/chains.ts";
import { ProblemException } from "../http/problem.ts";
import { ToolError } from "./tool-error.ts";

/** Whether the chain answered, and the contract did not as a token does. */
const isContractAnswer = (error: unknown) =>
  isRevert(error) || hasCause(error, (cause) => cause instanceof ContractFunctionZeroDataError);

export type ChainAccess = ReturnType<typeof createChainAccess>;

/** Reads the chain for tools. */
export function createChainAccess(chains: Chains, getClient: ChainClients) {
  function choose(chainId: number | undefined): ChainSettings {
    try {
      return chains.choose(chainId);
    } catch (error) {
      if (error instanceof ProblemException) throw new ToolError(error.problem.code, error.message);
      throw error;
    }
  }

  return {
    /** The settings of a chain. Throws a ToolError where it is not served. */
    choose,
    /** Reads with the chain's client; throws a ToolError where its endpoints don't answer. */
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
            "There is no token contract at this address: compare the mint.",
          );
        }
        const { code, detail } = chainUnavailable(chain.id, error).problem;
        throw new ToolError(code, detail);
      }
    },
  };
}
