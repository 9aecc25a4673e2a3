import { expect, test } from "vitest";
import { readerUrlOnPrimary, readsFromOtherServer } from "./database.ts";

test.each([
  ["postgres://a:1@db/launchpad", "postgres://b:2@db:5432/launchpad", false],
  ["postgres://a:1@db:5433/launchpad", "postgres://b:2@db/launchpad", true],
  ["postgres://a:1@db/launchpad", "postgres://b:2@db-replica/launchpad", true],
  ["postgres:///launchpad?host=/run/one&user=a", "postgres:///launchpad?host=/run/one&user=b", false],
  ["postgres:///launchpad?host=/run/one", "postgres:///launchpad?host=/run/two", true],
])("whether %s and %s lead to different addresses: %s", (databaseUrl, readUrl, isElsewhere) => {
  expect(readsFromOtherServer(databaseUrl, readUrl)).toBe(isElsewhere);
});

test.each([
  [
    "postgres://a:1@db/launchpad?sslmode=require",
    "postgres://b:p%40ss@replica:5433/launchpad",
    "postgres://b:p%40ss@db/launchpad?sslmode=require",
  ],
  [
    "postgres://a:1@db/launchpad",
    "postgres://replica/launchpad?user=b&password=2",
    "postgres://b:2@db/launchpad",
  ],
  [
    "postgres:///launchpad?host=/run/one&user=a&password=1",
    "postgres://b:2@replica/launchpad",
    "postgres:///launchpad?host=%2Frun%2Fone&user=b&password=2",
  ],
])(
  "at the primary of %s, the reader of %s logs in with its own name and password",
  (databaseUrl, readUrl, expected) => {
    expect(readerUrlOnPrimary(databaseUrl, readUrl)).toBe(expected);
  },
);
