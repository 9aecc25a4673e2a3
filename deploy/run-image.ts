// Runs the image that test-image.sh has built as a container engine would: with its user, entry point, command and environment, on a
// read-only root file system. The chain runs outside of it.
import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { freePort } from "../runtime/checks/host.ts";
import { startLaunchpadChain } from "../test/chain/launchpad-chain.ts";
import { until } from "../test/service/condition.ts";
import { type Program, runCommand } from "../test/service/program.ts";

type Config = {
  Env: string[];
  User: string;
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Healthcheck: { Test: string[] };
};

const [, , root = "", imageFile = "", data = ""] = process.argv;
const { config } = JSON.parse(readFileSync(imageFile, "utf8")).Docker as { config: Config };
const environment = Object.fromEntries(
  config.Env.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
);
const shell = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: "utf8" });

mkdirSync(data, { mode: 0o750 });
chownSync(data, Number(config.User), Number(config.User));
// Container engines create this file in each container.
writeFileSync(`${root}/etc/hosts`, "127.0.0.1 localhost\n::1 localhost\n");
shell("mount", "--bind", root, root);
shell("mount", "-o", "remount,bind,ro", root);
shell("mount", "--bind", data, `${root}/data`);
shell("mount", "-t", "tmpfs", "tmpfs", `${root}/tmp`);
shell("mount", "--rbind", "/dev", `${root}/dev`);
shell("mount", "-t", "proc", "proc", `${root}/proc`);

/** Runs a command as the image's user, in its working directory. */
function run(command: string[], env: Record<string, string> = {}): Program {
  const inside = [
    "--userspec",
    `${config.User}:${config.User}`,
    root,
    "/bin/sh",
    "-c",
    'cd "$0" && exec "$@"',
  ];
  return runCommand("chroot", [...inside, config.WorkingDir, ...command], {
    env: { NODE_OPTIONS: undefined, NODE_COMPILE_CACHE: undefined, ...environment, ...env },
  });
}

async function answers(program: Program, port: string): Promise<void> {
  await until(`/ready at ${port}`, async () => {
    if (program.hasExited()) throw new Error(program.output());
    return (await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined))?.ok;
  }).catch((error: unknown) => {
    throw new Error(`${error}:\n${program.output()}`);
  });
  // What npm ci has built.
  for (const path of ["/", "/client.tgz"]) {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`);
    if (status !== 200) throw new Error(`${path} answers ${status}`);
  }
  const [kind, ...check] = config.Healthcheck.Test;
  if (kind !== "CMD") throw new Error(`HEALTHCHECK is ${kind}`);
  for (const [asked, expected] of [
    [port, 0],
    [String(await freePort()), 1],
  ] as const) {
    const code = await run(check, { PORT: asked }).exited;
    if (code !== expected) throw new Error(`HEALTHCHECK of ${asked} ends with ${code}`);
  }
}

const chain = await startLaunchpadChain();
const running: Program[] = [];
try {
  if ((await run(["touch", "/app/written"]).exited) === 0) throw new Error("/app can be written to");
  const settings = {
    PONDER_RPC_URL_56: chain.rpcUrl,
    TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
    LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
    START_BLOCK_56: String(chain.deployment.startBlock),
    HOST: "127.0.0.1",
  };
  for (const command of [config.Cmd, ["runtime/serve.ts"]]) {
    const port = String(await freePort());
    const program = run([...config.Entrypoint, ...command], { ...settings, PORT: port });
    running.push(program);
    await answers(program, port);
    console.log(`${command} is ready, with the embedded Postgres`);
  }
  const list = run(["node", "--run", "moderate", "--", "list"], settings);
  if ((await list.exited) !== 0) throw new Error(list.output());
} finally {
  for (const program of running.reverse()) {
    program.kill("SIGTERM");
    const code = await program.exited;
    console.log(`ended with exit code ${code}`);
    if (code !== 0) process.exitCode = 1;
  }
  await chain.stop();
}
