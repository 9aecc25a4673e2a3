import { formatAmount } from "../market/price.ts";
import type { Leader } from "./leaderboard.routes.ts";
import type { LeaderRow } from "./leaders.query.ts";

/** Maps an account on a board to its response. */
export function toLeader(row: LeaderRow, rank: number): Leader {
  const { address, trades, sells, volume_wei, realised_wei, tokens_created, tokens_graduated } = row;
  if (volume_wei === undefined || realised_wei === undefined) {
    return { rank, address, tokensCreated: tokens_created, tokensGraduated: tokens_graduated };
  }
  return {
    rank,
    address,
    realisedBnb: formatAmount(realised_wei),
    ...usdField("realisedUsd", row.realised_usd_x18),
    volumeBnb: formatAmount(volume_wei),
    ...usdField("volumeUsd", row.volume_usd_x18),
    trades,
    sells,
  };
}

/** Returns no field if there was no BNB/USD rate. */
function usdField<Name extends string>(name: Name, usdX18: string | null | undefined) {
  const isKnown = usdX18 !== null && usdX18 !== undefined;
  return (isKnown ? { [name]: formatAmount(usdX18) } : {}) as { [Field in Name]?: string };
}
