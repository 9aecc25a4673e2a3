import { expect, test } from "vitest";
import { parseForget } from "./arguments.ts";

test("a chain and a block are parsed", () => {
  expect(parseForget(["--chain", "97", "--from", "0"])).toEqual({ chainId: 97, fromBlock: 0 });
});

test.each([
  [[], /^--chain is 56 or 97\. usage: npm run forget/],
  [["--from", "1"], /--chain is 56 or 97/],
  [["--chain", "1", "--from", "1"], /--chain is 56 or 97/],
  [["--chain", "56"], /--from is the number of the first block/],
  [["--chain", "56", "--from", "0x10"], /--from is the number/],
  [["--chain", "56", "--from", "-1"], /--from/],
  [["--chain", "56", "--from", "1.5"], /--from is the number/],
  [["--chain", "56", "--form", "1"], /there is no --form: did you mean --from\?/],
  [["--chain", "56", "--from", "1", "2"], /"2" is one argument too many/],
  [["--chain", "56", "--from", "1", "--from", "2"], /--from is given twice/],
])("%j is refused", (args, message) => {
  expect(() => parseForget(args)).toThrow(message);
});
