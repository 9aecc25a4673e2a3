import { type Attack, pickCombination, readListedTokens } from "./attack.ts";

export const staleStreams: Attack = {
  description: "GET /api/stream, filters of 100 mints, from old positions",
  prepare: async (ask) => {
    const { mints } = await readListedTokens(ask);
    return (count) => {
      const [event] = pickCombination(count, ["1-0", "0-0", "999999999999999-0", "1-999999999999999"]);
      return { path: `/api/stream?mint=${mints.join(",")}&lastEventId=${event}`, hold: "answer" };
    };
  },
};
