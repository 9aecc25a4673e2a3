import { z } from "@hono/zod-openapi";
import { nextCursor } from "../../http/cursor.schema.ts";
import { pageFields } from "../../http/page.schema.ts";
import { tokenEntry } from "../entry/token-entry.schema.ts";
import { chosenToken, tokenField } from "../entry/token-fields.schema.ts";
import { compactToken } from "./compact/compact-token.schema.ts";

/** Forms of a page's entries. */
export const views = ["full", "compact"] as const;

const placeInAll = { total: z.int().min(0), ...pageFields, nextCursor };

const tokenPage = z.object({ tokens: z.array(tokenEntry), ...placeInAll }).openapi("TokenPage");

/** A page of full entries. */
export type TokenPage = z.input<typeof tokenPage>;

const compactTokenPage = z
  .object({ view: z.literal("compact"), tokens: z.array(compactToken), ...placeInAll })
  .openapi("CompactTokenPage", { description: "The response with `view=compact`." });

const chosenTokenPage = z
  .object({ fields: z.array(tokenField), tokens: z.array(chosenToken), ...placeInAll })
  .openapi("ChosenTokenPage", { description: "The response with `fields`, which it repeats." });

/** A page of the list in any of its forms. Forms other than the full one have a field that names them. */
export const anyTokenPage = z.union([tokenPage, compactTokenPage, chosenTokenPage]);

export type AnyTokenPage = z.input<typeof anyTokenPage>;
export type AnyTokenRow = AnyTokenPage["tokens"][number];
