import type { Context } from "hono";

/** Tells the client which block of the chain its answer reflects at least. */
export function setIndexBlock(c: Context, chainId: number, block: number | undefined): void {
  if (block !== undefined) c.header("X-Index-Block", `${chainId}:${block}`);
}
