import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const folder = new URL("./tools/", import.meta.url);
const { resolve } = createRequire(new URL("package.json", folder));

/** Installs what only this benchmark needs, as its lock file has it; takes a second when it is there already. */
export function installTools(): void {
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", options, { cwd: fileURLToPath(folder), stdio: ["ignore", "ignore", "inherit"] });
}

/** The native binary of `cast`, without the script around it. */
export function castBinary(): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  return resolve(`@foundry-rs/cast-${process.platform}-${architecture}/bin/cast`);
}

/** The command line of autocannon, a program for Node. */
export function autocannonProgram(): string {
  return resolve("autocannon/autocannon.js");
}
