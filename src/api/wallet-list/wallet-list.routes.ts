import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
import { chainId, minBlock } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";

const token = z.object({
  chainId: z.int(),
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .openapi({ description: "With checksum, as the standard requires." }),
  decimals: z.literal(18),
  name: z.string().openapi({ description: "Untrusted text." }),
  symbol: z.string().openapi({ description: "Untrusted text." }),
  logoURI: z
    .string()
    .optional()
    .openapi({ format: "uri", description: "The registered imageUrl, if it has the format `uri`." }),
  tags: z.array(z.enum(["verified", "graduated"])).optional(),
  extensions: z.object({
    registration: z.int().openapi({
      description:
        "Increases when anything in the registration changes: then read GET /api/metadata/<address> again.",
    }),
  }),
});

export type ListedToken = z.input<typeof token>;

const tokenList = z
  .object({
    name: z.string(),
    timestamp: z.iso.datetime(),
    version: z.object({
      major: z.int().min(0),
      minor: z.int().min(0),
      patch: z.int().min(0),
    }),
    keywords: z.array(z.string()),
    tags: z.record(z.string(), z.object({ name: z.string(), description: z.string() })),
    tokens: z.array(token).min(1).max(10_000),
  })
  .openapi("TokenList");

export type TokenList = z.input<typeof tokenList>;

export const tokenListRoute = createRoute({
  method: "get",
  path: "/api/tokenlist.json",
  operationId: "getTokenList",
  tags: ["Aggregators"],
  summary: "A Uniswap token list of the registered tokens of all indexed chains.",
  description:
    "Conforms to the published schema, https://uniswap.org/tokenlist.schema.json. Only tokens of final blocks. At most 10,000, as the schema allows: verified ones in order of registration, then graduated ones in order of graduation, then the others in order of registration. A token whose name (over 60 characters, or with white space other than spaces) or symbol (over 20 characters, or with white space) the schema does not allow is left out. The major version goes up when a token is removed, the minor version when one is added, and the patch version when one changes; while the list is full, each change is a major one. The version and the timestamp, which is that of the latest change of a token on the list, change only when the list does.",
  request: {
    // Loose, because clients add parameters such as ?t= to bypass caches.
    query: z.looseObject({
      chainId: chainId.openapi({
        description:
          "The chain of minBlock and X-Index-Block: 56 (mainnet) or 97 (testnet). The list covers all chains. Left out: mainnet if it is indexed, else the one chain that is.",
      }),
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers("The list.", tokenList),
    ...problems({
      ...chainProblems,
      404: "There is no token to list yet, and the schema allows no empty list; or the chain is not indexed.",
    }),
  },
});
