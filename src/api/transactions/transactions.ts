import type { Hex, PublicClient, TransactionReceipt, Transaction as Viem } from "viem";
import type { ChainSettings } from "../../../config/env.ts";
import { type ChainClients, chainUnavailable } from "../chain/chain-client.ts";
import type { Chains } from "../chain/chains.ts";
import { simulate } from "../chain/simulate.ts";
import { askChain } from "../concurrency/read-lanes.ts";
import { ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { toTransaction } from "./transaction.mapper.ts";
import { transactionRoute, unexplained } from "./transaction.routes.ts";

export type TransactionsDeps = { chains: Chains; getClient: ChainClients };

export function createTransactions({ chains, getClient }: TransactionsDeps) {
  return createRouter().openapi(transactionRoute, async (c) => {
    const { hash } = c.req.valid("param");
    const chain = chains.choose(c.req.valid("query").chainId);
    const found = await askChain(c, () =>
      read(getClient(chain), hash, chain).catch((error: unknown) => {
        throw chainUnavailable(chain.id, error);
      }),
    );
    if (found === undefined) throw unknownTransaction(hash, chain.id);
    return c.json(toTransaction(found, hash, chain), 200);
  });
}

async function read(client: PublicClient, hash: Hex, chain: ChainSettings) {
  const transaction = await client.getTransaction({ hash }).catch(ifUnknown);
  if (transaction === undefined) return undefined;
  const receipt = await client.getTransactionReceipt({ hash }).catch(ifUnknown);
  const revertReason =
    receipt?.status === "reverted" ? await findRevertReason(client, transaction, receipt, chain) : undefined;
  return { transaction, receipt, revertReason };
}

async function findRevertReason(
  client: PublicClient,
  { from, to, input, value }: Viem,
  { blockNumber }: TransactionReceipt,
  { launchpad, tokenFactory }: ChainSettings,
): Promise<string> {
  if (to === null) return unexplained.creation;
  const { outcome, reason } = await simulate(client, { from, to, data: input, value }, blockNumber - 1n);
  if (outcome === "reverts" && reason !== undefined) return reason;
  const isOurs = [launchpad, tokenFactory].some((ours) => ours.toLowerCase() === to.toLowerCase());
  return isOurs ? unexplained.gasOrState : unexplained.unknown;
}

function ifUnknown(error: unknown): undefined {
  if (error instanceof Error && /NotFound/.test(error.name)) return undefined;
  throw error;
}

function unknownTransaction(hash: string, chainId: number): ProblemException {
  return new ProblemException({
    status: 404,
    code: "transaction_not_found",
    title: "Transaction not found",
    detail: `The RPC endpoint of chain ${chainId} does not know the transaction ${hash}: check hash and chain, or ask again in a few seconds.`,
  });
}
