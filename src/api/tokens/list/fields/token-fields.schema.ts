import { z } from "@hono/zod-openapi";
import { tokenEntry } from "../../entry/token-entry.schema.ts";

export const tokenField = tokenEntry.keyof();

export type TokenField = z.infer<typeof tokenField>;

const known = tokenField.options.join(", ");

/** Names of fields in a query, separated by commas. */
export const tokenFields = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim()))
  .transform((names, c): TokenField[] =>
    [...new Set(names)].map((name) => {
      const field = tokenField.safeParse(name);
      if (field.success) return field.data;
      c.addIssue({ code: "custom", message: `must be names of fields, separated by commas: ${known}` });
      return z.NEVER;
    }),
  )
  .optional()
  .openapi({
    type: "string",
    example: "symbol,priceUsd,windows",
    description: `Only these fields of each full entry, and \`mint\`: names separated by commas, out of ${known}. Not together with \`view=compact\`.`,
  });

/** An entry with only the chosen fields. */
export const chosenToken = tokenEntry.partial().required({ mint: true }).openapi("ChosenToken", {
  description: "The requested fields of a Token, and `mint`.",
});

export type ChosenToken = z.input<typeof chosenToken>;
