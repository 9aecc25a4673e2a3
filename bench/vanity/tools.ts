import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const folder = new URL("./tools/", import.meta.url);
const { resolve } = createRequire(new URL("package.json", folder));

/** Installs the locked packages that only this benchmark needs. Takes a second if they are installed already. */
export function installTools(): void {
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", options, { cwd: fileURLToPath(folder), stdio: ["ignore", "ignore", "inherit"] });
}

/** The path of the native `cast` binary, without npm's wrapper script. */
export function castBinary(): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  return resolve(`@foundry-rs/cast-${process.platform}-${architecture}/bin/cast`);
}

/** The path of autocannon's command-line program, for Node. */
export function autocannonProgram(): string {
  return resolve("autocannon/autocannon.js");
}
