import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: [
    "./offchain/schema.ts",
    "./offchain/images.ts",
    "./offchain/stream.ts",
    "./offchain/activity.ts",
    "./offchain/bookkeeping.ts",
    "./offchain/alerts.ts",
  ],
  out: "./offchain/migrations",
  casing: "snake_case",
});
