import { describe, expect, test } from "vitest";
import { blockOrTime, payableAccount, time, timeBound } from "./parameters.schema.ts";

describe("a time", () => {
  const noon = Date.parse("2026-01-31T12:00:00Z") / 1_000;

  test.each([
    ["0", 0],
    [String(noon), noon],
    ["2026-01-31T12:00:00Z", noon],
    ["2026-01-31T12:00Z", noon],
    ["2026-01-31T12:00:00", noon],
    ["2026-01-31T12:00:00.999Z", noon],
    ["2026-01-31T14:30:00+02:30", noon],
    ["2026-01-31T14:30:00 02:30", noon],
    ["2026-01-31", noon - 43_200],
    ["1969-12-31T23:59:59.5Z", -1],
    ["253402300799", 253_402_300_799],
    ["9999-12-31T23:59:59Z", 253_402_300_799],
  ])("%s", (text, seconds) => expect(time.parse(text)).toBe(seconds));

  test.each([
    ...["", " ", "now", "-1", "1.5", "1e9", "0x10", "٣", "NaN", "2026-02-30", "2026-13-01", "12:00"],
    ...["2026-01-31T25:00:00Z", "2026-01-31 12:00:00", "2026-01-31T12:00:00 utc", "2026-1-1", "1".repeat(40)],
  ])("not %j", (text) => {
    expect(time.safeParse(text).error?.issues[0]?.message).toMatch(/^must be a time: seconds .* or ISO 8601/);
  });

  test("within a second leaves that second out of what comes later, and in what comes before", () => {
    expect(timeBound.parse("2026-01-31T12:00:00.001Z")).toBe(noon + 1);
    expect(timeBound.parse("2026-01-31T12:00:00.000400+00:00")).toBe(noon + 1);
    expect(timeBound.parse("2026-01-31T12:00:00.000000Z")).toBe(noon);
    expect(time.parse("2026-01-31T12:00:00.999999Z")).toBe(noon);
    expect(["2026-01-31T12:00:00Z", String(noon)].map((text) => timeBound.parse(text))).toEqual([noon, noon]);
    expect(blockOrTime.parse("2026-01-31T12:00:00.999Z")).toEqual({ time: noon });
  });

  test("in milliseconds is refused with advice", () => {
    expect(time.safeParse(String(noon * 1_000)).error?.issues[0]?.message).toMatch(/divide by 1000/);
  });
});

describe("a number that is probably a block", () => {
  test.each(["1", "45612378", "999999999"])("%s is refused as a time, with advice", (text) => {
    expect(time.safeParse(text).error?.issues[0]?.message).toMatch(
      /too small .* if it is a block, give its time/,
    );
  });
});

describe("a block or a time", () => {
  test.each([
    ["0", { block: 0 }],
    ["45612378", { block: 45_612_378 }],
    ["2026-01-31T12:00:00Z", { time: Date.parse("2026-01-31T12:00:00Z") / 1_000 }],
    ["2026-01-31", { time: Date.parse("2026-01-31T00:00:00Z") / 1_000 }],
  ])("%s", (text, parsed) => expect(blockOrTime.parse(text)).toEqual(parsed));

  test.each(["", " ", "-1", "1.5", "0x10", "latest", "1".repeat(11), "2026-02-30", "12:00"])(
    "not %j",
    (text) => {
      expect(blockOrTime.safeParse(text).error?.issues[0]?.message).toMatch(
        /^must be a block number, or a time in/,
      );
    },
  );
});

describe("an account that money may go to", () => {
  const account = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

  test.each([account, account.toLowerCase(), `0x${account.slice(2).toUpperCase()}`])("%s", (text) =>
    expect(payableAccount.parse(text)).toBe(account.toLowerCase()),
  );

  test.each([
    account.replace("5aA", "5aB"),
    account.replace("6053F", "6035F"),
    account.replace("BeAed", "beAed"),
  ])("not %s, whose checksum is wrong", (text) =>
    expect(payableAccount.safeParse(text).error?.issues[0]?.message).toMatch(/wrong checksum/),
  );

  test("another text is not taken for one with a wrong checksum", () => {
    const messages = ["0xAb", "Ab", ""].map((text) => payableAccount.safeParse(text).error?.issues);
    expect(messages.map((issues) => issues?.map(({ message }) => message.slice(0, 18)))).toEqual([
      ["must be an address"],
      ["must be an address"],
      ["must be an address"],
    ]);
  });
});
