import { expect, test } from "vitest";
import { createSql } from "../sql.routes.ts";
import { castTypes, functionRules } from "./allowed.ts";
import { ruleOf } from "./node-rules.ts";

const named = (name: string) => [{ String: { sval: name } }];

test.each([
  ["FuncCall", { funcname: named("pg_sleep") }],
  ["A_Expr", { kind: "AEXPR_OP", name: named("~") }],
  ["TypeCast", { typeName: { names: named("json") } }],
])("whoever uses a %s that is refused is told where the service lists the others", (type, fields) => {
  expect(() => ruleOf(type, fields)).toThrow("the description of POST /sql in /api/openapi.json lists");
});

test("the description of the route lists every function and type", () => {
  const routes = createSql({ run: undefined, trustedHops: 0 });
  const { paths } = routes.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } });
  const words = paths?.["/sql"]?.post?.description?.match(/[\w.]+/g);
  const functions = [...functionRules.keys()].filter((name) => name !== "seconds");
  expect(words).toEqual(expect.arrayContaining([...functions, "launchpad.seconds", ...castTypes.keys()]));
});
