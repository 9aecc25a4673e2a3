import { type ParseArgsConfig, parseArgs } from "node:util";
import { distance } from "fastest-levenshtein";
import { StartError } from "./start-error.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

const maxTypos = 2;

/**
 * Parses a command line into `values` of its flags and `positionals`, at most `names.length` of them. Throws a StartError for a flag
 * that isn't one of `options`, is given twice or lacks its value, and for anything that the command doesn't take: what is ignored was
 * meant in some way. Its message ends with the `usage`, if there is one.
 */
export function parseCommandLine<Flags extends Options>(
  args: string[],
  { options, names = [], usage }: { options: Flags; names?: readonly string[]; usage?: string },
) {
  const wrong = (reason: string) =>
    new StartError(usage === undefined ? reason : `${reason}${reason.endsWith("?") ? "" : "."} ${usage}`);
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const flags = tokens.filter((token) => token.kind === "option");
  for (const { name, rawName } of flags) {
    if (!Object.hasOwn(options, name)) throw wrong(`there is no ${rawName}${suggestion(name, options)}`);
  }
  const twice = flags.find(({ name }, index) => flags.findIndex((flag) => flag.name === name) !== index);
  if (twice !== undefined) throw wrong(`--${twice.name} is given twice`);
  const surplus = tokens.filter((token) => token.kind === "positional")[names.length];
  if (surplus !== undefined) {
    const takes =
      names.length === 0 ? "the command takes none" : `the command takes only ${names.join(", ")}`;
    throw wrong(`${JSON.stringify(surplus.value)} is one argument too many: ${takes}`);
  }
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

/** Throws a StartError if the command line of a command that takes its settings from the environment has anything on it. */
export function expectNoArguments(args = process.argv.slice(2)): void {
  const [first] = args;
  if (first === undefined) return;
  throw new StartError(
    `${JSON.stringify(first)} has no effect here: settings are environment variables (docs/configuration.md)`,
  );
}

function suggestion(name: string, options: Options): string {
  const names = Object.keys(options);
  const meant =
    names.find((option) => option.startsWith(name) || name.startsWith(option)) ??
    names.find((option) => distance(name.toLowerCase(), option) <= Math.min(maxTypos, name.length - 1));
  if (meant !== undefined) return `: did you mean --${meant}?`;
  return names.length === 0
    ? ": the command takes no flags"
    : `: the flags are ${names.map((option) => `--${option}`).join(", ")}`;
}
