import { type Attack, choose, listed } from "./attack.ts";

export const staleStreams: Attack = {
  what: "GET /api/stream, filters of 100 mints, from positions long ago",
  prepare: async (ask) => {
    const { mints } = await listed(ask);
    return (count) => {
      const [event] = choose(count, ["1-0", "0-0", "999999999999999-0", "1-999999999999999"]);
      return { path: `/api/stream?mint=${mints.join(",")}&lastEventId=${event}`, hold: "answer" };
    };
  },
};
