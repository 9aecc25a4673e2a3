import { expect, test } from "vitest";
import { folders } from "../tables/tables.ts";
import { readArguments } from "./arguments.ts";

test("only the folder is required", () => {
  expect(readArguments(["--to", "lake"])).toEqual({
    to: "lake",
    tables: new Set(folders),
    follow: false,
    intraday: false,
    verify: false,
  });
  expect(readArguments(["--help"])).toBeUndefined();
});

test("reads a list of tables", () => {
  expect(readArguments(["--to", "lake", "--tables", "trades, candles"])?.tables).toEqual(
    new Set(["trades", "candles"]),
  );
});

test.each([
  [[], "--to is missing"],
  [["--to", ""], "--to is missing"],
  [["--to", "lake", "--tables", "trade"], "--tables has trade: it takes trades, candles"],
  [["--to", "lake", "--follow", "--verify"], "can't be combined"],
  [["--to", "lake", "--intraday", "--verify"], "can't be combined"],
  [["--to", "lake", "--tables", "trades", "--verify"], "--tables and --verify can't be combined"],
  [["--to", "gs://bucket/lake"], "--to is a folder, or s3://bucket/prefix, not gs://"],
  [["--to", "S3://bucket/lake"], "--to is a folder, or s3://bucket/prefix, not S3://"],
  [["--to", "file:///data/lake"], "not file://"],
  [["--to", "lake", "--fallow"], "--fallow"],
])("%j is refused", (args, reason) => {
  expect(() => readArguments(args)).toThrow(reason);
});
