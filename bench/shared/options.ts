import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";
import { StartError } from "../../runtime/start-error.ts";

type Given = string | boolean | (string | boolean)[] | undefined;

/** A flag of the command line, and how its value is read. */
type Flag<Value> = { form: ParseArgsOptionDescriptor; read(given: Given, name: string): Value };

/** By the names of the options: `blockTime` is read from `--block-time`. */
export type Flags = Record<string, Flag<unknown>>;

export type Options<Given extends Flags> = { [Name in keyof Given]: ReturnType<Given[Name]["read"]> };

/** A flag with text. */
export const text: Flag<string | undefined> = {
  form: { type: "string" },
  read: (given) => given as string | undefined,
};

export function textOr(byDefault: string): Flag<string> {
  return { form: { type: "string" }, read: (given) => (given as string | undefined) ?? byDefault };
}

/** A flag without a value; `--no-x` turns it off. */
export function toggle(isOn = false): Flag<boolean> {
  return { form: { type: "boolean" }, read: (given) => (given as boolean | undefined) ?? isOn };
}

/** A flag with a whole number. */
export function whole(byDefault: number, minimum = 1): Flag<number> {
  return {
    form: { type: "string" },
    read: (given, name) => (given === undefined ? byDefault : readWhole(name, given, minimum)),
  };
}

export const maybeWhole: Flag<number | undefined> = {
  form: { type: "string" },
  read: (given, name) => (given === undefined ? undefined : readWhole(name, given, 1)),
};

/** A flag with a whole number that may be given several times. */
export function wholes(byDefault: number[], minimum = 1): Flag<number[]> {
  return {
    form: { type: "string", multiple: true },
    read: (given, name) =>
      (given as string[] | undefined)?.map((one) => readWhole(name, one, minimum)) ?? byDefault,
  };
}

/** A flag with some of these names, separated by commas or given several times. Without it, all of them. */
export function someOf<const Name extends string>(names: readonly Name[]): Flag<Name[]> {
  return {
    form: { type: "string", multiple: true },
    read(given, name) {
      const chosen = (given as string[] | undefined)?.flatMap((list) => list.split(",")) ?? names;
      const unknown = chosen.find((one) => !names.includes(one as Name));
      if (unknown !== undefined) {
        throw new StartError(`${name} takes ${names.join(", ")}, not ${unknown}`);
      }
      return names.filter((one) => chosen.includes(one));
    },
  };
}

/** A flag with one of these names. */
export function oneOf<const Name extends string>(names: readonly Name[], byDefault: Name): Flag<Name> {
  return {
    form: { type: "string" },
    read(given = byDefault, name) {
      const chosen = names.find((one) => one === given);
      if (chosen === undefined) throw new StartError(`${name} must be ${names.join(" or ")}`);
      return chosen;
    },
  };
}

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions<Given extends Flags>(flags: Given): Options<Given> {
  const flagOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const entries = Object.entries(flags);
  const options = Object.fromEntries(entries.map(([name, { form }]) => [flagOf(name), form]));
  try {
    const { values } = parseArgs({ options, allowNegative: true });
    return Object.fromEntries(
      entries.map(([name, { read }]) => [name, read(values[flagOf(name)], `--${flagOf(name)}`)]),
    ) as Options<Given>;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function readWhole(name: string, given: Given, minimum: number): number {
  if (/^[1-9]\d{0,8}$/.test(String(given)) && Number(given) >= minimum) return Number(given);
  throw new StartError(`${name} must be a whole number from ${minimum} up, not ${given}`);
}
