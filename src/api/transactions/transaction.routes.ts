import { createRoute, z } from "@hono/zod-openapi";
import {
  type Abi,
  type AbiParameter,
  type Address,
  type Hex,
  type PublicClient,
  parseEventLogs,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transaction as Viem,
} from "viem";
import { dexPairAbi } from "../../../abis/DexPair.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { type ChainClients, chainUnavailable } from "../chain/chain-client.ts";
import type { Chains } from "../chain/chains.ts";
import { decodeCallTo } from "../chain/decode-call.ts";
import { simulate } from "../chain/simulate.ts";
import { askChain } from "../concurrency/read-lanes.ts";
import { amount, jsonAnswers, lowercaseAddress } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, minBlock, toLowerHex } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";
import { ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";

const maxEvents = 40;

/** Why a transaction reverted, where no contract says it. */
export const unexplained = {
  creation: "it created a contract that failed",
  gasOrState: "out of gas, or the state changed within its block",
  unknown: "unknown",
};

const args = z.record(z.string(), z.string()).openapi({
  description:
    "The arguments by name: addresses in lower case, numbers as decimal strings. Texts are untrusted.",
});

const transaction = z
  .object({
    hash: z.string(),
    chainId: z.int(),
    status: z.enum(["pending", "succeeded", "reverted"]),
    revertReason: z.string().optional().openapi({
      description:
        "Of a reverted one: the name of the contract's error, or a short text by the contract, which is untrusted. Found by simulating it at the state before its block.",
    }),
    block: z.int().nullable().openapi({
      description:
        "The block that has it; null while it is pending. With it as `minBlock`, reads see what it did.",
    }),
    from: lowercaseAddress,
    to: lowercaseAddress.nullable().openapi({ description: "Null if it creates a contract." }),
    valueWei: amount("Wei sent along."),
    gasUsed: z.int().nullable().openapi({ description: "Null while it is pending." }),
    call: z.object({ functionName: z.string(), args }).nullable().openapi({
      description:
        "Null if it calls no function of the launchpad, a token or the DEX router. Other contracts may have those of a token and the router: check `to`.",
    }),
    events: z.array(z.object({ contract: lowercaseAddress, name: z.string(), args })).openapi({
      description: `The first ${maxEvents} events of launchpad, tokens and DEX pairs, in order. Those of the launchpad and its factory are their own; other contracts may emit those of a token or a pair: check \`contract\`.`,
    }),
    moreEvents: z.boolean().openapi({ description: `Whether there are more than ${maxEvents}.` }),
  })
  .openapi("Transaction");

export type Transaction = z.input<typeof transaction>;

const hashMessage = "must be a transaction hash: 0x and 64 hexadecimal digits";

export const transactionRoute = createRoute({
  method: "get",
  path: "/api/transaction/{hash}",
  operationId: "getTransaction",
  tags: ["Market"],
  summary: "What became of a transaction, decoded.",
  description:
    "Read from the chain itself, so a transaction is here as soon as the RPC endpoint knows it. Once it is mined, `X-Index-Block` says whether its block is indexed.",
  middleware: withEtag(),
  request: {
    params: z.object({
      hash: z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/, hashMessage)
        .transform(toLowerHex)
        .openapi({
          param: { name: "hash", in: "path" },
          type: "string",
          pattern: "^0x[0-9a-fA-F]{64}$",
          description: "The transaction's hash.",
          example: `0x${"3f5ce5fb".repeat(8)}`,
        }),
    }),
    query: z.object({ chainId, minBlock }),
  },
  responses: {
    ...jsonAnswers("The transaction.", transaction),
    ...problems({
      ...chainProblems,
      404: "The chain's RPC endpoint does not know the transaction (yet), or the chain is not indexed here.",
      503: "The chain's RPC endpoint gives no usable answer.",
    }),
  },
});

export type TransactionsDeps = { chains: Chains; getClient: ChainClients };

export function createTransactions({ chains, getClient }: TransactionsDeps) {
  return createRouter().openapi(transactionRoute, async (c) => {
    const { hash } = c.req.valid("param");
    const chain = chains.choose(c.req.valid("query").chainId);
    const transaction = await askChain(c, () =>
      read(getClient(chain), hash, chain).catch((error: unknown) => {
        throw chainUnavailable(chain.id, error);
      }),
    );
    if (transaction === undefined) throw unknownTransaction(hash, chain.id);
    return c.json(toTransaction(transaction, hash, chain), 200);
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
  // Others' names have NotFound in them, too: of an endpoint that doesn't know the method.
  const isUnknown =
    error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError;
  if (isUnknown) return undefined;
  throw error;
}

function unknownTransaction(hash: string, chainId: number): ProblemException {
  return new ProblemException({
    status: 404,
    code: "transaction_not_found",
    detail: `The RPC endpoint of chain ${chainId} does not know the transaction ${hash}: check hash and chain, or ask again in a few seconds.`,
  });
}

type Chain = Pick<ChainSettings, "id" | "launchpad" | "tokenFactory">;

/** Returns the events that a contract may have: others can emit the launchpad's, and would pass for it. */
function eventAbiOf(emitter: Address, { launchpad, tokenFactory }: Chain): Abi {
  const isEmitter = (address: Address) => address.toLowerCase() === emitter.toLowerCase();
  if (isEmitter(launchpad)) return launchpadAbi;
  if (isEmitter(tokenFactory)) return tokenFactoryAbi;
  return [...launchTokenAbi, ...dexPairAbi];
}

type Mined = {
  transaction: Pick<Viem, "from" | "to" | "value" | "input">;
  /** Undefined while the transaction is pending. */
  receipt: TransactionReceipt | undefined;
  /** Why it reverted, if it did. */
  revertReason: string | undefined;
};

/** Maps a transaction to its response, and decodes its call and the events that it caused. */
function toTransaction(
  { transaction, receipt, revertReason }: Mined,
  hash: string,
  chain: Chain,
): Transaction {
  const { to } = transaction;
  const call = to ? decodeCallTo(to, transaction.input, chain) : undefined;
  const logs = (receipt?.logs ?? []).flatMap((log) =>
    parseEventLogs({ abi: eventAbiOf(log.address, chain), logs: [log], strict: true }),
  );
  return {
    hash,
    chainId: chain.id,
    status: receipt === undefined ? "pending" : receipt.status === "success" ? "succeeded" : "reverted",
    ...(revertReason === undefined ? {} : { revertReason }),
    block: receipt === undefined ? null : Number(receipt.blockNumber),
    from: transaction.from.toLowerCase(),
    to: to?.toLowerCase() ?? null,
    valueWei: String(transaction.value),
    gasUsed: receipt === undefined ? null : Number(receipt.gasUsed),
    call:
      call === undefined ? null : { functionName: call.functionName, args: toTexts(call.args, call.inputs) },
    events: logs.slice(0, maxEvents).map(({ address, eventName, args }) => ({
      contract: address.toLowerCase(),
      name: eventName,
      args: toTexts(args ?? {}, inputsOf(eventName, eventAbiOf(address, chain))),
    })),
    moreEvents: logs.length > maxEvents,
  };
}

function inputsOf(eventName: string, abi: Abi): readonly AbiParameter[] {
  const event = abi.find((item) => item.type === "event" && item.name === eventName);
  return event?.type === "event" ? event.inputs : [];
}

/** Formats values as text: hexadecimal in lower case, everything else as it is, also a name that looks hexadecimal. */
function toTexts(values: object, inputs: readonly AbiParameter[]): Record<string, string> {
  const strings = new Set(inputs.flatMap(({ name, type }) => (type === "string" ? [name] : [])));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const text = String(value);
      const isHex = !strings.has(name) && /^0x[0-9a-fA-F]*(,0x[0-9a-fA-F]*)*$/.test(text);
      return [name, isHex ? text.toLowerCase() : text];
    }),
  );
}
