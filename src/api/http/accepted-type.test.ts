import { Hono } from "hono";
import { expect, test } from "vitest";
import { acceptedType, toCsv } from "./accepted-type.ts";

test("fields are quoted where they must be, null is empty, and lists are JSON", () => {
  const rows = [
    [1, "plain", null],
    [true, 'a "quoted", field', ["x", 1]],
    ["", "two\nlines", "火箭蛙"],
  ];
  expect(toCsv(["a", "b,c", "d"], rows)).toBe(
    'a,"b,c",d\r\n1,plain,\r\ntrue,"a ""quoted"", field","[""x"",1]"\r\n"","two\nlines",火箭蛙\r\n',
  );
});

test.each([
  ["*/*", "application/json"],
  ["text/csv", "text/csv"],
  ["text/*", "text/csv"],
  ["text/csv, */*", "text/csv"],
  ["text/csv, application/json", "text/csv"],
  ["text/csv;q=0.5, */*", "application/json"],
  ["*/*;q=0.1, text/csv;q=0.05", "application/json"],
  ["text/csv;q=0, text/*", "application/json"],
  ["application/*;q=0.2, TEXT/CSV;q=0.3", "text/csv"],
  ["image/png", "application/json"],
])("for Accept: %s, the answer is %s", async (accept, type) => {
  const app = new Hono().get("/", (c) =>
    c.text(acceptedType(c, ["application/json", "text/csv"], "application/json")),
  );
  expect(await (await app.request("/", { headers: { accept } })).text()).toBe(type);
});
