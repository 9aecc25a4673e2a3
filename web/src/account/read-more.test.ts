import { expect, test } from "vitest";
import { createReader } from "./read-more.ts";

async function* numbers(count: number, begun: Promise<void> = Promise.resolve()) {
  await begun;
  for (let at = 1; at <= count; at++) yield at;
}

test("what somebody asked for stays, whichever reading ends last", async () => {
  const read = createReader<number>();
  const [slow, quick] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // The page reads again what it shows, while somebody asks for more.
  const again = read(() => numbers(9, slow.promise), 3);
  const more = read(() => numbers(9, quick.promise), 5);
  quick.resolve();
  expect(await more).toEqual({ entries: [1, 2, 3, 4, 5], isComplete: false });
  slow.resolve();
  expect(await again).toBeUndefined();
  // And the other way round.
  expect(await read(() => numbers(9), 3)).toEqual({ entries: [1, 2, 3, 4, 5], isComplete: false });
  expect(await read(() => numbers(4), 3)).toEqual({ entries: [1, 2, 3, 4], isComplete: true });
});
