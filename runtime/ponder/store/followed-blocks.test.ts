import { expect, test } from "vitest";
import { oneAfterTheOther } from "./followed-blocks.ts";

test("only the next transaction of the chain waits for one, and gets its error once", async () => {
  const begun: (() => void)[] = [];
  const qb = {
    transaction: (work: unknown) =>
      new Promise((resolve, reject) => {
        begun.push(work === "fails" ? () => reject(new Error("out of space")) : () => resolve(undefined));
      }),
  };
  const begin = (chainId: number, work = "works") => oneAfterTheOther(chainId, qb as never).transaction(work);

  await begin(56);
  await begin(97);
  expect(begun).toHaveLength(2);
  const second = begin(56, "fails");
  await begin(1);
  expect(begun).toHaveLength(3);
  begun[0]?.();
  await second;
  expect(begun).toHaveLength(4);

  const third = begin(56);
  begun[3]?.();
  await expect(third).rejects.toThrow("out of space");
  await begin(56);
  expect(begun).toHaveLength(5);
});
