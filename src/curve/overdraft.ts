import { channel } from "node:diagnostics_channel";

/** A transfer of more base units than the index knows its sender to have. */
export type Overdraft = {
  chainId: number;
  token: string;
  account: string;
  balanceRaw: bigint;
  sentRaw: bigint;
};

/**
 * Carries each {@link Overdraft}. An honest token has none, so it means that an earlier transfer is missing, or was counted twice.
 * Handlers only announce it: who counts and reports it is no part of what rows are made of.
 */
export const overdrafts = channel("launchpad:overdraft");
