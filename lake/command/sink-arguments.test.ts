import { expect, test } from "vitest";
import { readSinkArguments } from "./arguments.ts";

const address = "clickhouse://host/database";
const to = ["--to", address];

test("only the address is needed", () => {
  expect(readSinkArguments(to)).toEqual({ to: address, snapshotHours: 24, live: false, once: false });
  expect(readSinkArguments([...to, "--snapshots", "0.5", "--live"])).toEqual({
    to: address,
    snapshotHours: 0.5,
    live: true,
    once: false,
  });
  expect(readSinkArguments([...to, "--once"])).toMatchObject({ snapshotHours: 0, once: true });
  expect(readSinkArguments(["-h"])).toBeUndefined();
});

test.each(["0", "0x10", "1e3", "24,5", "-1", "", "Infinity", "daily"])(
  "--snapshots %s is refused",
  (hours) => {
    expect(() => readSinkArguments([...to, `--snapshots=${hours}`])).toThrow(
      `--snapshots is a number of hours, such as 24 or 0.5, not ${JSON.stringify(hours)}`,
    );
  },
);

test("--snapshots would have no effect with --once", () => {
  expect(() => readSinkArguments([...to, "--once", "--snapshots", "6"])).toThrow(
    "--snapshots and --once can't be combined",
  );
});
