import { createRoute, z } from "@hono/zod-openapi";
import { zeroAddress } from "viem";
import { address, chainId } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";
import { tokenName, tokenSymbol } from "./factory-text.schema.ts";

/** The suffix of every token address that a salt gives. */
export const vanitySuffix = "5afe";

export const vanitySaltRoute = createRoute({
  method: "get",
  path: "/api/tokens/vanity-salt",
  operationId: "getVanitySalt",
  tags: ["Tokens"],
  summary: `A salt for createTokenWithSalt whose token address ends in ${vanitySuffix}.`,
  description:
    "The address depends on name, symbol and salt, so create the token with exactly these. Every request gets a different salt, which works until a token is created with it. With creator, the salt begins with that address, and the factory refuses it from anyone else; without, whoever sees your transaction waiting can create the token first.",
  request: {
    query: z.object({
      name: tokenName,
      symbol: tokenSymbol,
      creator: address
        .refine(
          (value) => value !== zeroAddress,
          "must not be the zero address: leave it out for any creator",
        )
        .optional()
        .openapi({
          description:
            "The account that will create the token: the salt is bound to it. A factory from before bound salts accepts it from anyone.",
        }),
      chainId,
    }),
  },
  responses: {
    200: {
      description: "The salt, and the resulting address.",
      content: {
        "application/json": {
          schema: z
            .object({
              salt: z.string().regex(/^0x[0-9a-f]{64}$/),
              address: z.string().regex(/^0x[0-9a-f]{36}5afe$/),
            })
            .openapi("VanitySalt"),
        },
      },
    },
    ...problems({
      ...chainProblems,
      503: "Too many searches are waiting, or the chain or the database is unavailable.",
    }),
  },
});
