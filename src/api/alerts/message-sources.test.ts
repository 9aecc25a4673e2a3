import { expect, test } from "vitest";
import type { AlertFiring, AlertStore } from "../../../offchain/alert-store.ts";
import { delivererForTests, subscriptionForTests } from "./fixtures/delivery.ts";
import { createFiringSource } from "./message-sources.ts";

/** The messages of a condition that are kept, of which the ids are these. */
const kept = (ids: number[]) => {
  let reads = 0;
  const store: Pick<AlertStore, "readFirings"> = {
    async readFirings(_, after) {
      reads++;
      // A loop without an end would block everything else, the test's timeout too.
      if (reads > 10) throw new Error("read again and again");
      const firings = ids.filter((id) => id > Number(after));
      return firings.map((id): AlertFiring => ({ id: String(id), kind: "met", data: {}, at: new Date() }));
    },
  };
  return { store: store as AlertStore, reads: () => reads };
};

test("a replay of messages that are no longer kept ends where new ones begin", async () => {
  const { store, reads } = kept([]);
  const source = createFiringSource(store, { id: "alert_1", pushed: () => 7 });
  const subscription = subscriptionForTests({ row: { owner: "0x1", batch: 1 }, source, isBehind: true });
  delivererForTests().start(subscription);
  await subscription.run;
  expect(subscription).toMatchObject({ position: 7, isBehind: false });
  expect(reads()).toBe(1);
});

test("a message that is pushed while a page is read is not skipped", async () => {
  let pushed = 7;
  const { store } = kept([]);
  const read = store.readFirings;
  const source = createFiringSource(
    Object.assign(store, {
      readFirings: async (...asked: Parameters<typeof read>) => {
        const firings = await read(...asked);
        pushed = 8;
        return firings;
      },
    }),
    { id: "alert_1", pushed: () => pushed },
  );
  const { end } = await source.read(0);
  expect([end, source.isAtEnd(end)]).toEqual([7, false]);
});
