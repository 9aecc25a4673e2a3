import type { z } from "zod";

export type Variables = Record<string, string | undefined>;

/**
 * Reads the variables that a schema names, with `suffix` appended to each name; an empty one counts as unset. Adds a line to
 * `problems` for each that is invalid or missing, and then returns undefined.
 */
export function readVariables<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  variables: Variables,
  suffix: string,
  problems: string[],
): z.infer<z.ZodObject<Shape>> | undefined {
  const input = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, variables[name + suffix] || undefined]),
  );
  const result = schema.safeParse(input);
  if (result.success) return result.data;

  for (const issue of result.error.issues) {
    const name = String(issue.path[0]);
    const isMissing = input[name] === undefined;
    // A value may hold a password or an API key, so it is never repeated.
    problems.push(
      isMissing
        ? `${name}${suffix} is missing: ${missingHint(name)}`
        : `${name}${suffix} is wrong: it ${issue.message}`,
    );
  }
  return undefined;
}

function missingHint(name: string): string {
  if (name === "START_BLOCK") return "set the number of the block in which the TokenFactory was deployed";
  if (name === "TOKEN_FACTORY_ADDRESS") return "set the address of the deployed TokenFactory";
  if (name === "LAUNCHPAD_ADDRESS") return "set the address of the deployed Launchpad";
  return "set it";
}
