import { expect, test } from "vitest";
import { readArguments, UsageError } from "./arguments.ts";

const deployer = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const hash = `0x${"22".repeat(32)}`;
const contract = ["--deployer", deployer, "--init-code-hash", hash];
const token = ["--name", "Brave Otter", "--symbol", "OTTER"];

test("reads a token and a contract", () => {
  expect(readArguments(["--suffix", "5aFe", ...token, "--chain", "97", "--threads", "3"])).toEqual({
    subject: { type: "token", name: "Brave Otter", symbol: "OTTER", creator: undefined, chainId: 97 },
    pattern: { prefix: "", suffix: "5afe" },
    threads: 3,
  });
  expect(readArguments(["--suffix", "5afe", ...token, "--creator", deployer])).toMatchObject({
    subject: { creator: deployer },
  });
  expect(readArguments(["--prefix", "0xCA", ...contract])).toMatchObject({
    subject: { type: "contract", deployer, initCodeHash: hash },
    pattern: { prefix: "ca", suffix: "" },
  });
  expect(readArguments(["-h"])).toBeUndefined();
});

test.each([
  [[], "--name and --symbol are required"],
  [["--name", "A"], "--name and --symbol are required"],
  [contract, "A prefix or a suffix of at least one"],
  [["--suffix", "safe", ...contract], "The suffix must be hexadecimal digits"],
  [["--suffix", "5afe", "--deployer", deployer], "--deployer and --init-code-hash must be given together"],
  [["--suffix", "5afe", "--chain", "56", ...contract], "replace --name"],
  [["--suffix", "5afe", "--deployer", "0x12", "--init-code-hash", hash], "--deployer must be an address"],
  [["--suffix", "5afe", "--deployer", deployer, "--init-code-hash", "x"], "--init-code-hash must be 0x"],
  [["--suffix", "5afe", "--name", "x".repeat(65), "--symbol", "X"], "The name must have 1 to 64 bytes"],
  [["--suffix", "5afe", ...token, "--creator", "0x12"], "--creator must be an address"],
  [["--suffix", "5afe", "--creator", deployer, ...contract], "replace --name"],
  [["--suffix", "5afe", ...token, "--chain", "1"], "--chain must be 56 or 97"],
  [["--suffix", "5afe", "--threads", "0", ...contract], "--threads must be"],
  [["--suffix", "5afe", ...token, "more"], '"more" is one argument too many'],
])("refuses %j", (args, message) => {
  expect(() => readArguments(args)).toThrow(UsageError);
  expect(() => readArguments(args)).toThrow(message);
});
