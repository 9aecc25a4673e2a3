import { z } from "@hono/zod-openapi";
import { address } from "../../../http/parameters.schema.ts";

export const maxMints = 100;

/** Mints in a query, separated by commas. Parsing lower-cases them and removes duplicates. */
export const mints = z
  .string()
  .transform((text) => text.split(",").map((mint) => mint.trim()))
  .refine((given) => given.length <= maxMints, {
    message: `must be at most ${maxMints} mints: ask for the others in another request`,
    abort: true,
  })
  .transform((given, c): string[] => {
    const parsed = given.map((mint, index) => {
      const { success, data } = address.safeParse(mint);
      if (success) return data;
      const which =
        given.length === 1 ? "an address:" : `addresses, separated by commas: number ${index + 1} is not`;
      c.addIssue({ code: "custom", message: `must be ${which} 0x and 40 hexadecimal digits` });
      return z.NEVER;
    });
    return [...new Set(parsed)];
  })
  .optional()
  .openapi({
    type: "string",
    example: "0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe",
    description: `Only these tokens: up to ${maxMints} mints, separated by commas. Several come in the given order, whatever \`sort\`, each once; one that is not in the list is left out.`,
  });
