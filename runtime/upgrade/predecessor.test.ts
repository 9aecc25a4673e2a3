import { expect, test } from "vitest";
import { readEnvironment } from "../../config/env.ts";
import { assertSameAddress, type Predecessor } from "./predecessor.ts";

const predecessor: Predecessor = {
  schema: "onchain",
  port: 42_070,
  host: "127.0.0.1",
  channel: { send: async () => {}, listen: () => () => {} },
};

test.each([
  [{ PORT: "42070", HOST: "127.0.0.1" }, undefined],
  [{ PORT: "42071", HOST: "127.0.0.1" }, "an upgrade keeps PORT and HOST"],
  [{ PORT: "42070" }, "an upgrade keeps PORT and HOST"],
])("whether a new version with the settings %o is refused: %s", (variables, problem) => {
  const check = () => assertSameAddress(predecessor, readEnvironment(variables));
  if (problem === undefined) check();
  else expect(check).toThrow(problem);
});
