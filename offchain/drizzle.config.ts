import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: ["./offchain/schema.ts", "./offchain/images.ts", "./offchain/stream.ts"],
  out: "./offchain/migrations",
  casing: "snake_case",
});
