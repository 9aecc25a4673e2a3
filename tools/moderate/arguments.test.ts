import { expect, test } from "vitest";
import { parseCommand } from "./arguments.ts";

const mint = `0x${"aB".repeat(20)}`;
const token = { chainId: 56, mint: mint.toLowerCase() };

test("commands are parsed", () => {
  expect(parseCommand(["hide", mint, "--reason", " a  scam "])).toEqual({
    name: "hide",
    ...token,
    reason: "a scam",
  });
  expect(parseCommand(["unhide", mint, "--chain", "97"])).toEqual({ name: "unhide", ...token, chainId: 97 });
  expect(parseCommand(["list"])).toEqual({ name: "list" });
  expect(parseCommand(["apply", "--dry-run"])).toEqual({ name: "apply", isDry: true });
});

test("without --chain, it is mainnet if that is indexed or nothing is known, else the chain that is", () => {
  const hide = ["hide", mint, "--reason", "a scam"];
  expect(parseCommand(hide, [56, 97])).toMatchObject({ chainId: 56 });
  expect(parseCommand(hide, [97])).toMatchObject({ chainId: 97 });
  expect(parseCommand(["unhide", mint], [97])).toMatchObject({ chainId: 97 });
  expect(parseCommand([...hide, "--chain", "56"], [97])).toMatchObject({ chainId: 56 });
});

test.each([
  [[], /say what to do\. usage: npm run moderate/],
  [["hide", mint], /takes a --reason/],
  [["hide", mint, "--reason", " "], /takes a --reason/],
  [["hide", mint, "--reason", "a", "scam"], /"scam" is one argument too many/],
  [["hide", "0x12", "--reason", "a"], /takes the token's address/],
  [["unhide"], /takes the token's address/],
  [["unhide", mint, "--chain", "1"], /--chain is 56 or 97/],
  [["list", mint], /list takes no mint/],
  [["list", "--resaon"], /there is no --resaon: did you mean --reason\?/],
  [["list", "--chain", "97"], /list takes no --chain/],
  [["unhide", mint, "--reason", "a"], /unhide takes no --reason/],
] as const)("%j is refused", (args, message) => {
  expect(() => parseCommand([...args])).toThrow(message);
});
