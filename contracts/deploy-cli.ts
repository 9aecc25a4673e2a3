import { writeFileSync } from "node:fs";
import { codeOf } from "../config/error-code.ts";
import { expectNoArguments } from "../runtime/command-line.ts";
import { type DeploymentFile, deployFromEnvironment } from "./deploy-from-environment.ts";

try {
  expectNoArguments();
  const { lines, deployment } = await deployFromEnvironment(process.env);
  console.log([...lines, writeFile(deployment)].join("\n"));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** Writes the deployment file into the current folder, and returns a line about it. Never throws: the contracts are deployed. */
function writeFile(deployment: DeploymentFile): string {
  const { chainId, startBlock } = deployment;
  const file = `deployment-${chainId}-${startBlock}.json`;
  try {
    writeFileSync(file, `${JSON.stringify(deployment, null, 2)}\n`, { flag: "wx" });
    return `# In place of the three variables: DEPLOYMENT_${chainId}=${file}`;
  } catch (error) {
    return `# There is no deployment file: ${file} can't be written (${codeOf(error)})`;
  }
}
