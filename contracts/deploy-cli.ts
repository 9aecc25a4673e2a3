import { expectNoArguments } from "../runtime/command-line.ts";
import { deployFromEnvironment } from "./deploy-from-environment.ts";

try {
  expectNoArguments();
  console.log(await deployFromEnvironment(process.env));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
