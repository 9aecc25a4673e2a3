import { createRoute, z } from "@hono/zod-openapi";
import { chainId } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";
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
    "The address depends on name, symbol and salt, so create the token with exactly these. Every request gets a different salt; it is not reserved, and works until a token is created with it.",
  request: {
    query: z.object({
      name: tokenName,
      symbol: tokenSymbol,
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
      400: "A parameter is wrong.",
      404: "The chain is not indexed here.",
      503: "Too many searches are waiting, or the chain or the database is unavailable.",
    }),
  },
});
