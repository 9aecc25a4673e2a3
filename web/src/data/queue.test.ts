import { expect, test } from "vitest";
import { createQueue } from "./queue.ts";

test("steps run one after the other, also after one that failed", async () => {
  const errors: unknown[] = [];
  const inTurn = createQueue((error) => void errors.push(error));
  const done: string[] = [];
  const slow = Promise.withResolvers<void>();
  void inTurn(async () => {
    await slow.promise;
    done.push("slow");
  });
  void inTurn(() => {
    throw new Error("no sound");
  });
  void inTurn(async () => {
    throw new Error("no answer");
  });
  const last = inTurn(() => void done.push("last"));
  slow.resolve();
  await last;
  expect(done).toEqual(["slow", "last"]);
  expect(errors.map(String)).toEqual(["Error: no sound", "Error: no answer"]);
});
