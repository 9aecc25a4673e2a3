/**
 * The parts of the texts that pages and dialogs wait for, besides `core`. A test compares this with what their code uses.
 * Nothing is imported here, so that the check of sizes can read it.
 */
export const partsOf = {
  token: ["trading", "token"],
  board: ["trading", "board"],
  account: ["account"],
  create: ["trading", "create"],
  leaderboard: ["leaderboard"],
  stats: ["stats"],
  alerts: ["alerts"],
} as const;
