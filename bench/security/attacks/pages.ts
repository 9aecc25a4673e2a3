import { boards, sorts } from "../../../src/api/tokens/list/order/sorts.ts";
import { type Attack, pickCombination, readListedTokens } from "./attack.ts";

export const deepPages: Attack = {
  description: "GET /api/tokens, 100 a page, every board and order at every depth",
  prepare: async () => (count) => {
    const [sort, board] = pickCombination(count, sorts, boards);
    return { path: `/api/tokens?limit=100&sort=${sort}&board=${board}&page=${1 + ((count * 37) % 1_500)}` };
  },
};

export const byCreator: Attack = {
  description: "GET /api/tokens?creator=, in every order",
  prepare: async (ask) => {
    const { creators } = await readListedTokens(ask);
    return (count) => {
      const [creator, sort] = pickCombination(count, creators, sorts);
      return { path: `/api/tokens?limit=100&creator=${creator}&sort=${sort}` };
    };
  },
};
