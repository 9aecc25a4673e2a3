import { expect, test } from "vitest";
import { streamEvent } from "./stream-event.schema.ts";

test("every event but a registration, which hiding removes, can say that its token is hidden", () => {
  const kindsWithout = streamEvent.options
    .filter(({ shape }) => !("hidden" in shape))
    .map(({ shape }) => shape.kind.def);
  expect(kindsWithout).toMatchObject([{ values: ["registered"] }]);
});
