import { z } from "@hono/zod-openapi";
import { address } from "../http/parameters.schema.ts";
import { cursorPattern } from "./cursor.ts";

/** What the stream and its long poll have in common. */

export const kinds = ["created", "trade", "graduated", "registered"] as const;
const mostAddresses = 100;

const separated = (text: string) => text.split(",").map((part) => part.trim());

const addresses = (description: string) =>
  z
    .string()
    .transform(separated)
    .pipe(
      z
        .array(address)
        .max(
          mostAddresses,
          `must be at most ${mostAddresses} addresses: send another request for the others`,
        ),
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

/** Which events a client wants. */
export const filterParameters = {
  mint: addresses(
    `Only events of these tokens: up to ${mostAddresses} addresses, separated by commas. With creator, an event must match both.`,
  ),
  creator: addresses(
    `Only events of tokens that these accounts created: up to ${mostAddresses} addresses, separated by commas.`,
  ),
  kind: z
    .string()
    .transform(separated)
    .pipe(z.array(z.enum(kinds, `must be one or more of ${kinds.join(", ")}, separated by commas`)))
    .optional()
    .openapi({
      type: "string",
      description: `Only events of these kinds, separated by commas: ${kinds.join(", ")}. \`removed\` is sent for events of these kinds.`,
      example: "created,graduated",
    }),
};
