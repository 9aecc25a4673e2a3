import type { Attack } from "./attack.ts";

export const salts: Attack = {
  description: "GET /api/tokens/vanity-salt, each for another name",
  prepare: async () => (count) => ({
    path: `/api/tokens/vanity-salt?name=Token%20${count}&symbol=T${count}`,
  }),
};
