import { expect, test } from "vitest";
import { toCsv } from "./accepted-type.ts";

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
