import { parseArgs } from "node:util";
import { z } from "zod";
import { StartError } from "../../runtime/start-error.ts";

/** By the names of the options: `blockTime` is read from `--block-time`. */
export type Flags = z.ZodRawShape;

export type Options<Given extends Flags> = z.output<z.ZodObject<Given>>;

/** A flag with text. */
export const text = z.string().optional();

export const textOr = (byDefault: string) => z.string().default(byDefault);

/** A flag without a value; `--no-x` turns it off. */
export const toggle = (isOn = false) => z.boolean().default(isOn);

function wholeFrom(minimum: number) {
  const error = `must be a whole number from ${minimum} up`;
  const digits = z.string().regex(/^\d{1,9}$/, error);
  return digits.transform(Number).refine((value) => value >= minimum, error);
}

/** A flag with a whole number. */
export const whole = (byDefault: number, minimum = 1) => wholeFrom(minimum).default(byDefault);

export const maybeWhole = wholeFrom(1).optional();

/** A flag with a whole number that may be given several times. */
export const wholes = (byDefault: number[], minimum = 1) => z.array(wholeFrom(minimum)).default(byDefault);

/** A flag with some of these names, separated by commas or given several times. Without it, all of them. */
export const someOf = <const Name extends string>(names: readonly Name[]) =>
  z
    .array(z.string())
    .transform((lists) => lists.flatMap((list) => list.split(",")))
    .pipe(z.array(z.enum(names)))
    .transform((chosen) => names.filter((name) => chosen.includes(name)))
    .default([...names]);

/** A flag with one of these names. */
export const oneOf = <const Name extends string>(names: readonly Name[], byDefault: Name) =>
  z.enum(names).default(byDefault as never);

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions<Given extends Flags>(flags: Given): Options<Given> {
  const flagOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const forms = Object.entries(flags).map(([name, flag]) => {
    const type = z.safeParse(flag, true).success ? ("boolean" as const) : ("string" as const);
    return [flagOf(name), { type, multiple: z.safeParse(flag, []).success }] as const;
  });
  try {
    const { values } = parseArgs({ options: Object.fromEntries(forms), allowNegative: true });
    const given = Object.keys(flags).map((name) => [name, values[flagOf(name)]]);
    return z.object(flags).parse(Object.fromEntries(given));
  } catch (error) {
    if (error instanceof z.ZodError) {
      const said = error.issues.map(({ path, message }) => `--${flagOf(String(path[0]))}: ${message}`);
      throw new StartError(said.join("; "), { cause: error });
    }
    throw new StartError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
