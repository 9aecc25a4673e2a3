import { expect, test } from "vitest";
import { lookUntil } from "./look-until.ts";
import { StartError } from "./start-error.ts";

const options = { everyMs: 1, what: "waiting", signal: new AbortController().signal };

test("what fails is looked at again, and what is final isn't", async () => {
  let looks = 0;
  const look = async () => {
    looks += 1;
    if (looks < 2) throw new Error("the database is away");
    const cause = new Error("connect ECONNREFUSED");
    if (looks < 3) throw new StartError("it can't be used: check it", { cause });
    return looks < 5 ? undefined : looks;
  };
  expect(await lookUntil(look, options)).toBe(5);
  const refused = lookUntil(() => Promise.reject(new StartError("another one")), options);
  await expect(refused).rejects.toThrow("another one");
});

test("a stop ends the wait", async () => {
  const stopping = new AbortController();
  const look = async () => stopping.abort(new Error("stopped"));
  await expect(lookUntil(look, { ...options, signal: stopping.signal })).rejects.toThrow();
});
