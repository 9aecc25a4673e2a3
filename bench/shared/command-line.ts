import { type ParseArgsConfig, parseArgs } from "node:util";
import { StartError } from "../../runtime/start-error.ts";

type Flags = NonNullable<ParseArgsConfig["options"]>;

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readFlags<const Options extends Flags>(options: Options) {
  try {
    return parseArgs({ options, allowNegative: true }).values;
  } catch (error) {
    throw new StartError("failed", error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Parses a flag that takes a whole number. Throws a StartError that says what it takes. */
export function wholeNumber(name: string, value: string, minimum = 1): number {
  if (/^[1-9]\d{0,8}$/.test(value) && Number(value) >= minimum) return Number(value);
  throw new StartError("failed", `${name} must be a whole number from ${minimum} up, not ${value}`);
}
