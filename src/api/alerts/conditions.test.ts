import fc from "fast-check";
import { expect, test } from "vitest";
import { eventId } from "../../domain/ids.ts";
import { alertRule, type CrossesRule } from "./alert-rule.schema.ts";
import { applyValue, beginCondition, type ConditionState, removeEvent, toCondition } from "./conditions.ts";

const mint = `0x${"ab".repeat(20)}`;
const ruleOf = (fields: object) =>
  alertRule.parse({ type: "crosses", mint, metric: "progress", ...fields }) as CrossesRule;
const scaled = (value: number) => BigInt(10 * value) * 10n ** 35n;

type Event = { position: string; value: bigint };

/** Applies events, and returns the state and the events that met the condition. */
function follow(rule: CrossesRule, events: Event[]): { state: ConditionState; met: string[] } {
  const condition = toCondition(rule);
  let state = beginCondition(condition, 0n);
  const met: string[] = [];
  for (const event of events) {
    const next = applyValue(condition, state, { ...event, message: event.position });
    state = next.state;
    if (next.hasMet) met.push(event.position);
  }
  return { state, met };
}

const values = (...list: number[]) =>
  list.map((value, block) => ({ position: eventId(block), value: scaled(value) }));
const metBy = (fields: object, ...list: number[]) =>
  follow(ruleOf(fields), values(...list)).met.map((position) => Number(position.split("-")[0]));

test("a limit is crossed once until the value has gone back by the hysteresis", () => {
  expect(metBy({ above: "80", hysteresisPercent: 10 }, 50, 80, 79, 81, 72, 80, 100, 71, 90)).toEqual([
    1, 5, 8,
  ]);
  expect(metBy({ below: "20", hysteresisPercent: 50 }, 50, 20, 25, 19, 30, 20)).toEqual(
    [0 + 1, 5].map(Number),
  );
});

test("a share that can't go back by the hysteresis, which would be more than all, has to go back half of the way there", () => {
  const shares = { metric: "creatorPercent", below: "98", hysteresisPercent: 5 };
  expect(metBy(shares, 99, 98, 98.5, 97, 99, 90, 100, 97)).toEqual([1, 5, 7]);
  // A price has no such end.
  expect(metBy({ ...shares, metric: "priceBnb" }, 99, 98, 100, 97, 103, 97)).toEqual([5]);
});

test("without hysteresis, any value on the other side of the limit arms it again, but not the limit itself", () => {
  expect(metBy({ above: "80", hysteresisPercent: 0 }, 80, 80, 79, 80)).toEqual([0, 3]);
});

test("once means the first time only", () => {
  expect(metBy({ above: "80", repeat: "once" }, 80, 0, 80, 0, 80)).toEqual([0]);
});

test("a value that is beyond the limit at the beginning is no news", () => {
  const condition = toCondition(ruleOf({ above: "80" }));
  const state = beginCondition(condition, scaled(90));
  expect(applyValue(condition, state, { position: eventId(1), value: scaled(95), message: "m" }).hasMet).toBe(
    false,
  );
});

test("a window that was empty right before the event arms a volume again", () => {
  const condition = toCondition(ruleOf({ above: "10", hysteresisPercent: 50 }));
  const { state } = applyValue(condition, beginCondition(condition, 0n), {
    position: eventId(1),
    value: scaled(10),
    message: "first",
  });
  const next = { position: eventId(2), before: 0n, value: scaled(12), message: "second" };
  const second = applyValue(condition, state, next);
  expect(second.hasMet).toBe(true);
  const removed = removeEvent(second.state, eventId(2));
  expect(removed).toEqual({ state, retracted: "second" });
});

test("after any reorgs, the state is that of the events that are left, and what was met and not retracted is what they meet", () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ value: fc.integer({ min: 0, max: 100 }) }) },
      { weight: 1, arbitrary: fc.record({ removed: fc.integer({ min: 1, max: 8 }) }) },
    ),
    { maxLength: 80 },
  );
  const rules = fc.record({
    direction: fc.constantFrom("above", "below"),
    limit: fc.integer({ min: 1, max: 100 }),
    hysteresisPercent: fc.integer({ min: 0, max: 60 }),
    repeat: fc.constantFrom("once", "always"),
  });
  fc.assert(
    fc.property(rules, steps, ({ direction, limit, ...others }, all) => {
      const rule = ruleOf({ [direction]: String(limit), ...others });
      const condition = toCondition(rule);
      let state = beginCondition(condition, 0n);
      const chain: Event[] = [];
      const told = new Set<string>();
      for (const [index, step] of all.entries()) {
        if ("value" in step) {
          const event = { position: eventId(chain.length), value: scaled(step.value) };
          chain.push(event);
          const message = `${index}`;
          const next = applyValue(condition, state, { ...event, message });
          state = next.state;
          if (next.hasMet) told.add(message);
          continue;
        }
        for (let count = 0; count < step.removed; count++) {
          const event = chain.pop();
          if (event === undefined) break;
          const removed = removeEvent(state, event.position);
          state = removed.state;
          if (removed.retracted !== null) expect(told.delete(removed.retracted)).toBe(true);
        }
      }
      const expected = follow(rule, chain);
      expect(state.isArmed).toBe(expected.state.isArmed);
      expect(told.size).toBe(expected.met.length);
      const metAt = state.undo.flatMap(({ position, met }) => (met === null ? [] : [position]));
      expect(metAt).toEqual(expected.met);
    }),
  );
});

test("a limit that can't be crossed is refused, and so is a number that may have been rounded", () => {
  const refused = (fields: object) =>
    alertRule.safeParse({ type: "crosses", mint, ...fields }).success === false;
  expect(refused({ metric: "progress", above: "100" })).toBe(false);
  expect(refused({ metric: "progress", above: "100.1" })).toBe(true);
  expect(refused({ metric: "creatorPercent", below: "101" })).toBe(true);
  expect(refused({ metric: "holders", above: "101" })).toBe(false);
  expect(refused({ metric: "holders", above: 101 })).toBe(true);
});
