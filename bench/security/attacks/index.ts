import { dexEvents, historicalTrades, tickers, tokenLists } from "./aggregators.ts";
import type { Attack } from "./attack.ts";
import { nestedJson } from "./bodies.ts";
import { graphql } from "./graphql.ts";
import { heldStreams, idleConnections, slowBodies, slowHeaders, stalledReaders } from "./held.ts";
import { unreadImages, uploads } from "./images.ts";
import { accounts, candles, curves, holders, trades } from "./market.ts";
import { byCreator, deepPages } from "./pages.ts";
import { salts } from "./salts.ts";
import { broadSearches, oddSearches, rareSearches } from "./searches.ts";
import { sql } from "./sql.ts";
import { staleStreams } from "./stream.ts";

/** All attacks by name, in the order in which they run. */
export const attacks: Record<string, Attack> = {
  salts,
  "rare-searches": rareSearches,
  "broad-searches": broadSearches,
  "odd-searches": oddSearches,
  "deep-pages": deepPages,
  "by-creator": byCreator,
  accounts,
  candles,
  curves,
  holders,
  trades,
  tickers,
  "historical-trades": historicalTrades,
  "dex-events": dexEvents,
  "token-lists": tokenLists,
  "stale-streams": staleStreams,
  "nested-json": nestedJson,
  graphql,
  uploads,
  "unread-images": unreadImages,
  sql,
  "slow-headers": slowHeaders,
  "slow-bodies": slowBodies,
  "stalled-readers": stalledReaders,
  "held-streams": heldStreams,
  "idle-connections": idleConnections,
};
