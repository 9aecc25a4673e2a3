import { tokenRoute } from "../../tokens/entry/token.routes.ts";
import type { TokenDetails } from "../../tokens/entry/token-entry.schema.ts";
import type { Ask } from "../ask.ts";

/** Reads a token with all of its fields. */
export async function readToken(ask: Ask, mint: string, chainId?: number): Promise<TokenDetails> {
  const token = await ask(tokenRoute, { path: { mint }, query: { chainId } });
  if ("fields" in token) throw new Error("Invariant(token): it has chosen fields, which nobody chose");
  return token;
}
