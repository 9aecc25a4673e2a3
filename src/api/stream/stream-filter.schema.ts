import { z } from "@hono/zod-openapi";
import { address } from "../http/parameters.schema.ts";
import { cursorPattern } from "./cursor.ts";

/** Parameters shared by the stream and its long poll. */

export const kinds = ["created", "trade", "graduated", "registered"] as const;
const maxAddresses = 100;

const separated = (text: string) => text.split(",").map((part) => part.trim());

const addresses = (description: string) =>
  z
    .string()
    .transform(separated)
    .pipe(
      z
        .array(address)
        .max(maxAddresses, `must be at most ${maxAddresses} addresses: send another request for the others`),
    )
    .optional()
    .openapi({ type: "string", description, example: "0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe" });

export const streamCursor = z
  .string()
  .refine(
    (text) => text === "" || cursorPattern.test(text),
    "must be the id of an event of the stream, such as 152-31",
  )
  .optional();

/** The parameters that filter events. */
export const filterParameters = {
  mint: addresses(
    `Only events of these tokens: up to ${maxAddresses} addresses, separated by commas. With creator: only events that match both.`,
  ),
  creator: addresses(
    `Only events of tokens that these accounts created: up to ${maxAddresses} addresses, separated by commas.`,
  ),
  kind: z
    .string()
    .transform(separated)
    .pipe(z.array(z.enum(kinds, `must be one or more of ${kinds.join(", ")}, separated by commas`)))
    .optional()
    .openapi({
      type: "string",
      description: `Only events of these kinds, separated by commas: ${kinds.join(", ")}. \`removed\` comes with the kind of the event that it removes.`,
      example: "created,graduated",
    }),
};
