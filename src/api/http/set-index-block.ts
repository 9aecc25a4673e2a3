import type { Context } from "hono";

const key = "indexBlock";

/** Adds X-Index-Block, the last block that the response is known to reflect, if that is known. */
export function setIndexBlock(c: Context, chainId: number, block: number | undefined): void {
  if (block === undefined) return;
  c.set(key, block);
  c.header("X-Index-Block", `${chainId}:${block}`);
}

/** The block that {@link setIndexBlock} set, if any. */
export const getIndexBlock = (c: Context): number | undefined => c.get(key);
