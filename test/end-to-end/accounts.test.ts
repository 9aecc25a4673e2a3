import { beforeAll, describe } from "vitest";
import { testLeaderboard } from "./accounts/leaderboard.ts";
import { testRiskAndPortfolio } from "./accounts/risk-and-portfolio.ts";
import { type AccountsServed, serveAccounts } from "./accounts/served.ts";

/* What accounts have and made. The leaderboard is testnet's, and all else mainnet's: neither knows of the other. */

let served: AccountsServed;

beforeAll(async () => {
  served = await serveAccounts();
});

describe("risk and portfolio", () => testRiskAndPortfolio(() => served));
describe("leaderboard", () => testLeaderboard(() => served));
