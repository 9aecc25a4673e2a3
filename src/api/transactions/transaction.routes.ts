import { createRoute, z } from "@hono/zod-openapi";
import { amount, jsonAnswers, lowercaseAddress } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, minBlock, toLowerHex } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";

export const maxEvents = 40;

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
      400: "A parameter is wrong.",
      404: "The chain's RPC endpoint does not know the transaction (yet), or the chain is not indexed here.",
      503: "The chain's RPC endpoint gives no usable answer.",
    }),
  },
});
