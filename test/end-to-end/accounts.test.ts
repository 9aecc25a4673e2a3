import { beforeAll, describe } from "vitest";
import { testLeaderboard } from "./accounts/leaderboard.ts";
import { testRiskAndPortfolio } from "./accounts/risk-and-portfolio.ts";
import { type AccountsServed, serveAccounts } from "./accounts/served.ts";

/* Accounts' holdings and results. The leaderboard tests use testnet and all others mainnet, so neither affects the other. */

let served: AccountsServed;

beforeAll(async () => {
  served = await serveAccounts();
});

describe("risk and portfolio", () => testRiskAndPortfolio(() => served));
describe("leaderboard", () => testLeaderboard(() => served));
