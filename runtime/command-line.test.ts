import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { alertVariables } from "../config/alerts.ts";
import { chainVariables } from "../config/chain-settings.ts";
import { generalVariables, readEnvironment } from "../config/env.ts";
import { imageVariables } from "../config/images.ts";
import { readArguments as readLakeArguments } from "../lake/command/arguments.ts";
import { readArguments as readVanityArguments } from "../salt-search/command/arguments.ts";
import { sized } from "../test/run/long-run.ts";
import { runProgram } from "../test/service/program.ts";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { parseCommand } from "../tools/moderate/arguments.ts";
import { parseCommandLine } from "./command-line.ts";
import { projectDir } from "./ponder/ponder.ts";

/* What operators type: numbers in every notation, and flags with typos. Nothing is ignored, and nothing is guessed. */

const mint = `0x${"ab".repeat(20)}`;

/** Every command of an operator, with something that it doesn't take. None of them gets as far as its database. */
const allWrongCommands: [script: string, args: string[], message: string][] = [
  ["local/dev.ts", ["--port", "3000"], '"--port" has no effect here: settings are environment variables'],
  ["runtime/start.ts", ["--port=3000"], '"--port=3000" has no effect here'],
  ["runtime/serve.ts", ["PORT=3000"], '"PORT=3000" has no effect here'],
  ["tools/images/push.ts", ["--all"], '"--all" has no effect here'],
  ["contracts/deploy-cli.ts", ["--chain", "97"], '"--chain" has no effect here'],
  ["runtime/upgrade.ts", ["--too", "onchain_2"], "there is no --too: did you mean --to?"],
  ["runtime/upgrade.ts", ["onchain_2"], '"onchain_2" is one argument too many: the command takes none'],
  [
    "tools/backup/backup.ts",
    ["--dry-run", "backup.tar"],
    "there is no --dry-run: the command takes no flags",
  ],
  [
    "tools/backup/restore.ts",
    ["backup.tar", "other.tar"],
    '"other.tar" is one argument too many: the command takes only a file',
  ],
  ["tools/registrations/export.ts", ["--to=file"], "there is no --to: the command takes no flags"],
  ["tools/registrations/import.ts", ["a", "b"], '"b" is one argument too many'],
  ["tools/schemas/schemas.ts", ["drop", "onchain_1", "onchain_2"], '"onchain_2" is one argument too many'],
  ["tools/schemas/schemas.ts", ["--drop", "onchain_1"], "there is no --drop"],
  [
    "tools/moderate/moderate.ts",
    ["hide", mint, "--raeson", "a"],
    "there is no --raeson: did you mean --reason?",
  ],
  ["tools/moderate/moderate.ts", ["apply", "--dryrun"], "there is no --dryrun: did you mean --dry-run?"],
  ["lake/command/lake.ts", ["--to", "lake", "--folow"], "there is no --folow: did you mean --follow?"],
  ["verify/verify.ts", ["--smaple", "100"], "there is no --smaple: did you mean --sample?"],
  ["verify/verify.ts", ["--sample", "1e3"], '--sample is a whole number from 1 to 999999999, not "1e3"'],
  ["salt-search/command/vanity.ts", ["--sufix", "5afe"], "there is no --sufix: did you mean --suffix?"],
];
/** In `npm test` one of each way to read arguments. Loading the commands takes most of the time. */
const wrongCommands = sized({
  usual: allWrongCommands.filter(([script]) => /(start|upgrade|moderate|lake|vanity)\.ts$/.test(script)),
  long: allWrongCommands,
});

test("every command refuses what it doesn't take, and leaves no file behind", async () => {
  const { folder, remove } = await temporaryFolder();
  const queue = [...wrongCommands];
  async function runNext(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [script, args, message] = next;
      const program = runProgram(path.join(projectDir, script), {
        args,
        cwd: folder,
        env: { DATA_DIR: path.join(folder, "data") },
      });
      const code = await program.exited;
      expect([script, args, code === 0, program.output()]).toEqual([
        script,
        args,
        false,
        expect.stringContaining(message),
      ]);
    }
  }
  try {
    await Promise.all([runNext(), runNext()]);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await remove();
  }
});

test.each([
  [["--to"], /argument missing/],
  [["--to", "a", "--to", "b"], "--to is given twice"],
  [["--follow=no"], /does not take an argument/],
  [["--constructor"], "there is no --constructor: the flags are --to, --follow"],
  [["-f"], "there is no -f: did you mean --follow?"],
  [["--TO", "a"], "there is no --TO: did you mean --to?"],
])("%j is refused", (args, message) => {
  const options = { to: { type: "string" }, follow: { type: "boolean" } } as const;
  expect(() => parseCommandLine(args, { options })).toThrow(message);
});

/** Numbers that one program or another would read as something else than the next. */
const oddNumbers = [
  ..."1,5 1.5 1.000 1,000 1_000 1e3 0x10 0b1 0o7 10MB 10s 5% -1 +1 --1 NaN Infinity null ½ ٣ 1n 99999999999999999999 1/2".split(
    " ",
  ),
  ...["1 000", "1\u00a0000", " 1", "1 ", "\t1", "1\n", " ", "\n"],
];

const suffixed = Object.fromEntries(
  Object.entries(chainVariables.shape).map(([name, type]) => [`${name}_56`, type]),
);
/** All variables that take a whole number, however many there are. */
const numbers = Object.entries({
  ...generalVariables.shape,
  ...imageVariables.shape,
  ...alertVariables.shape,
  ...suffixed,
})
  .filter(([, type]) => /whole number/.test(type.safeParse("x").error?.message ?? ""))
  .map(([name]) => name);

test("no variable takes a number in any but the plain notation; each says which numbers it takes", () => {
  expect(numbers.length).toBeGreaterThanOrEqual(17);
  const chain = {
    PONDER_RPC_URL_56: "http://localhost",
    TOKEN_FACTORY_ADDRESS_56: mint,
    LAUNCHPAD_ADDRESS_56: mint,
  };
  const refusalOf = (name: string, value: string) => {
    try {
      readEnvironment({ START_BLOCK_56: "1", ...chain, [name]: value });
      return "accepted";
    } catch (error) {
      return (error as Error).message;
    }
  };
  // White space around the value of a variable doesn't count.
  const odd = oddNumbers.filter((value) => !/^\d*$/.test(value.trim()));
  for (const name of numbers) {
    for (const value of odd) {
      expect([name, value, refusalOf(name, value)]).toEqual([
        name,
        value,
        expect.stringMatching(new RegExp(`^${name} is wrong: it must be a whole number from \\d+ to \\d+$`)),
      ]);
    }
  }
});

test("an empty variable counts as unset", () => {
  const empty = Object.fromEntries(numbers.map((name) => [name, ""]));
  expect(readEnvironment(empty)).toEqual(readEnvironment({}));
});

test.each([...oddNumbers, ""])("no flag takes the number %j", (value) => {
  const token = ["--suffix", "5afe", "--name", "A", "--symbol", "A"];
  expect(() => readVanityArguments([...token, `--threads=${value}`])).toThrow(
    "--threads must be a whole number from 1 to 999",
  );
  expect(() => readVanityArguments([...token, `--chain=${value}`])).toThrow("--chain must be 56 or 97");
  expect(() => parseCommand(["unhide", mint, `--chain=${value}`])).toThrow("--chain is 56 or 97");
  expect(() => readLakeArguments(["--to", "lake", `--tables=${value}`])).toThrow("--tables has");
});

test.each(["0x38", "56.0", "5.6e1", " 56", "56 "])("%j is no chain", (value) => {
  expect(() => parseCommand(["unhide", mint, "--chain", value])).toThrow("--chain is 56 or 97");
});
