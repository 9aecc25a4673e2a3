import type { Tool } from "../tool.ts";
import { assessToken } from "./assess-token.ts";
import { createAlert } from "./create-alert.ts";
import { findTokens } from "./find-tokens.ts";
import { getCandles } from "./get-candles.ts";
import { getHolders } from "./get-holders.ts";
import { getLeaderboard } from "./get-leaderboard.ts";
import { getPortfolio } from "./get-portfolio.ts";
import { getDailyStats, getStats } from "./get-stats.ts";
import { getToken } from "./get-token.ts";
import { getTraders } from "./get-traders.ts";
import { getTrades } from "./get-trades.ts";
import { getTransaction } from "./get-transaction.ts";
import { getTransfers } from "./get-transfers.ts";
import { prepareLaunch } from "./prepare-launch.ts";
import { prepareTrade } from "./prepare-trade.ts";
import { queryGraphql } from "./query-graphql.ts";
import { prepareRegistration, registerToken } from "./register-token.ts";
import { uploadImage } from "./upload-image.ts";
import { waitForEvents } from "./wait-for-events.ts";

/** Every tool, in the order in which an agent needs them. */
export const tools: readonly Tool[] = [
  findTokens,
  getToken,
  assessToken,
  getCandles,
  getTrades,
  getHolders,
  getTraders,
  getTransfers,
  getLeaderboard,
  getStats,
  getDailyStats,
  getPortfolio,
  prepareTrade,
  prepareLaunch,
  uploadImage,
  prepareRegistration,
  registerToken,
  waitForEvents,
  createAlert,
  getTransaction,
  queryGraphql,
];

/** The tools of a service. Without alerts, there is nothing that `create_alert` could do. */
export const toolsOf = ({ hasAlerts }: { hasAlerts: boolean }): readonly Tool[] =>
  hasAlerts ? tools : tools.filter((tool) => tool !== createAlert);
