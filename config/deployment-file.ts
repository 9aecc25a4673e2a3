import { readFileSync } from "node:fs";
import { z } from "zod";
import { address, type Variables } from "./values.ts";

/** What `npm run contracts:deploy` writes. More fields may be added. */
const deployment = z.object({
  chainId: z.int(),
  tokenFactory: address,
  launchpad: address,
  startBlock: z.int().min(0).max(2_000_000_000),
});

const replaced = ["TOKEN_FACTORY_ADDRESS", "LAUNCHPAD_ADDRESS", "START_BLOCK"];

/**
 * Returns the variables with those that a chain's deployment file replaces, if `DEPLOYMENT_<id>` names one. If the file can't be used,
 * or one of the variables is set as well, adds a line to `problems` and returns undefined.
 */
export function withDeploymentFile(
  id: number,
  variables: Variables,
  problems: string[],
): Variables | undefined {
  const name = `DEPLOYMENT_${id}`;
  const file = variables[name];
  if (!file) return variables;
  const isSet = replaced.map((variable) => `${variable}_${id}`).find((variable) => variables[variable]);
  if (isSet !== undefined) {
    problems.push(`${name} and ${isSet} are both set: take out one of them`);
    return undefined;
  }
  const read = readDeployment(file, id);
  if (typeof read === "string") {
    problems.push(`${name} is wrong: the file that it names ${read}`);
    return undefined;
  }
  return {
    ...variables,
    [`TOKEN_FACTORY_ADDRESS_${id}`]: read.tokenFactory,
    [`LAUNCHPAD_ADDRESS_${id}`]: read.launchpad,
    [`START_BLOCK_${id}`]: String(read.startBlock),
  };
}

/** Returns the deployment, or what is wrong with the file. */
function readDeployment(file: string, id: number): z.output<typeof deployment> | string {
  let text: string;
  try {
    // Some editors begin a file with a byte order mark, which JSON doesn't have.
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    return `can't be read (${(error as NodeJS.ErrnoException).code})`;
  }
  try {
    const parsed = deployment.safeParse(JSON.parse(text));
    if (parsed.success) {
      return parsed.data.chainId === id ? parsed.data : `is of chain ${parsed.data.chainId}`;
    }
    const [issue] = parsed.error.issues;
    return `has a wrong ${String(issue?.path[0] ?? "form")}`;
  } catch {
    return "is not JSON";
  }
}
