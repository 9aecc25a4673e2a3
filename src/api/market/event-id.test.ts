import { expect, test } from "vitest";
import { chainEventId, splitEventId } from "./event-id.ts";

const id = "000045612378-000042";

test("an id is split into its chain and the id of a table", () => {
  expect(splitEventId(chainEventId(97, id))).toEqual({ chainId: 97, id });
});

test("ids of earlier versions have no chain, however large their block", () => {
  for (const text of [id, "100000000000-000042"]) {
    expect(splitEventId(text)).toEqual({ chainId: undefined, id: text });
  }
});

test("other texts are no ids", () => {
  const others = [
    ...[
      "",
      "56-",
      "56-000045612378",
      "000045612378-42",
      `0-${id}`,
      `056-${id}`,
      `1000000000-${id}`,
      `-56-${id}`,
    ],
    ...[`x-${id}`, `56-97-${id}`, ` 56-${id}`, `${id}\n`],
  ];
  expect(others.filter((text) => splitEventId(text) !== undefined)).toEqual([]);
});
