import type { Context } from "hono";

/** Adds X-Index-Block, the last block that the response is known to reflect, if that is known. */
export function setIndexBlock(c: Context, chainId: number, block: number | undefined): void {
  if (block !== undefined) c.header("X-Index-Block", `${chainId}:${block}`);
}
