import { z } from "@hono/zod-openapi";
import { tokenDetails, tokenEntry } from "./token-entry.schema.ts";

export const tokenField = tokenEntry.keyof();
export type TokenField = z.infer<typeof tokenField>;

const detailField = tokenDetails.keyof();

/** The query parameter that chooses fields: names separated by commas. */
function fieldNames<Name extends string>(names: z.ZodType<Name>, known: string, description: string) {
  return z
    .string()
    .transform((text) => text.split(",").map((name) => name.trim()))
    .transform((given, c): Name[] =>
      [...new Set(given)].map((name) => {
        const field = names.safeParse(name);
        if (field.success) return field.data;
        c.addIssue({ code: "custom", message: `must be names of fields, separated by commas: ${known}` });
        return z.NEVER;
      }),
    )
    .optional()
    .openapi({ type: "string", example: "symbol,priceUsd,windows", description });
}

const ofEntry = tokenField.options.join(", ");
const ofDetails = detailField.options.join(", ");

/** Chooses fields of the entries of a list. */
export const tokenFields = fieldNames(
  tokenField,
  ofEntry,
  `Only these fields of each full entry, and \`mint\`: names separated by commas, out of ${ofEntry}. Not together with \`view=compact\`.`,
);

/** Chooses fields of one token. */
export const detailFields = fieldNames(
  detailField,
  ofDetails,
  `Only these fields, and \`mint\`: names separated by commas, out of ${ofDetails}.`,
);

/** An entry with only the chosen fields. */
export const chosenToken = tokenEntry.partial().required({ mint: true }).openapi("ChosenToken", {
  description: "The requested fields of a Token, and `mint`.",
});

/** One token with only the chosen fields. */
export const chosenDetails = tokenDetails
  .partial()
  .required({ mint: true })
  .extend({ fields: z.array(detailField) })
  .openapi("ChosenTokenDetails", {
    description: "The response with `fields`, which it repeats, and `mint`.",
  });
