import { createRoute, z } from "@hono/zod-openapi";
import { nameBytes, symbolBytes } from "../../../salt-search/salt-service.ts";
import { chainId } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";

/** What every address ends in. */
export const vanitySuffix = "5afe";

/** Text that the factory takes: bounded in bytes of UTF-8, not in characters. */
function factoryText({ min, max }: { min: number; max: number }, description: string) {
  return z
    .string({ error: "is missing" })
    .refine((value) => value.isWellFormed(), "must be well-formed Unicode")
    .refine((value) => {
      const bytes = Buffer.byteLength(value);
      return bytes >= min && bytes <= max;
    }, `must have ${min} to ${max} bytes of UTF-8`)
    .openapi({ type: "string", minLength: min, maxLength: max, description });
}

export const vanitySaltRoute = createRoute({
  method: "get",
  path: "/api/tokens/vanity-salt",
  operationId: "getVanitySalt",
  tags: ["Tokens"],
  summary: `A salt for createTokenWithSalt whose token address ends in ${vanitySuffix}.`,
  description:
    "The address depends on name, symbol and salt, so create the token with exactly these. Everyone gets a salt of their own; it is not reserved, and works until a token is created with it.",
  request: {
    query: z.object({
      name: factoryText(
        nameBytes,
        "The token's name, as it will be given to the factory: 1 to 64 bytes of UTF-8.",
      ),
      symbol: factoryText(symbolBytes, "Its symbol: 1 to 16 bytes of UTF-8."),
      chainId,
    }),
  },
  responses: {
    200: {
      description: "The salt, and the address that it gives.",
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
      503: "Too many searches are waiting, or the chain or the database is away.",
    }),
  },
});
