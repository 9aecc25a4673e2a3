import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectDir } from "../../runtime/ponder/ponder.ts";

/** A service as resolved by `docker-compose config`, with the fields that compose.yaml uses. */
export type Service = {
  image: string;
  command?: string[];
  environment: Record<string, string>;
  networks: Record<string, null>;
  volumes?: string[];
  tmpfs?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
};

export type ComposeFile = {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
};

/** Resolves compose.yaml with these values in `.env`, using docker-compose itself. */
export function readCompose(work: string, values: Record<string, string>): ComposeFile {
  const folder = path.join(work, "deploy");
  cpSync(path.join(projectDir, "deploy"), folder, { recursive: true });
  const file = path.join(folder, "compose.yaml");
  // Debian's docker-compose 1.29 doesn't support `name`.
  writeFileSync(file, readFileSync(file, "utf8").replace(/^name: .*\n/m, ""));
  const example = readFileSync(path.join(folder, ".env.example"), "utf8");
  const filled = example.replace(/^(\w+)=.*$/gm, (line, name: string) =>
    name in values ? `${name}=${values[name]}` : line,
  );
  const others = Object.entries(values).filter(([name]) => !new RegExp(`^${name}=`, "m").test(example));
  writeFileSync(
    path.join(folder, ".env"),
    [filled, ...others.map(([name, value]) => `${name}=${value}`)].join("\n"),
  );
  const options = ["--project-name", "launchpad", "--profile", "monitoring", "config"];
  const resolved = execFileSync("docker-compose", options, { cwd: folder, encoding: "utf8" });
  const toJson = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)";
  return JSON.parse(execFileSync("python3", ["-c", toJson], { input: resolved, encoding: "utf8" }));
}
