import { expect, onTestFinished, test } from "vitest";
import { withStartTasks } from "./run-start-tasks.ts";
import { endsStandby } from "./standby.ts";
import { StartError } from "./start-error.ts";

const postgresError = (code: string) => Object.assign(new Error("of Postgres"), { code });

test.each([
  ["has stopped", postgresError("57P01")],
  ["takes no writes yet", postgresError("25006")],
  ["has no connection left", postgresError("53300")],
  ["is being indexed into by a faster process", new StartError("taken", { code: "in-use" })],
])("a standby waits for a database that %s", (_, error) => {
  expect(endsStandby(error)).toBe(false);
});

test("a standby ends when it could not index", () => {
  expect(endsStandby(new StartError("another schema is live"))).toBe(true);
  expect(endsStandby(postgresError("42501"))).toBe(true);
  expect(endsStandby(new TypeError("a bug"))).toBe(true);
});

test("a standby ends when its program is gone, and says so", async () => {
  const program = process.execPath;
  onTestFinished(() => {
    process.execPath = program;
  });
  process.execPath = "/no/such/node";
  const { signal } = new AbortController();
  const error = await withStartTasks({ signal }, (run) => run("readSettings")).catch(
    (reason: unknown) => reason,
  );
  expect(error).toEqual(
    new StartError(
      "cannot start another process (spawn /no/such/node ENOENT): start again once the program is there, and the limits on processes and files allow it",
    ),
  );
  expect(endsStandby(error)).toBe(true);
});
