import { execFileSync } from "node:child_process";
import { chownSync, existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { until } from "../../test/service/condition.ts";
import { type Program, runCommand } from "../../test/service/program.ts";
import type { ComposeFile, Service } from "./compose-file.ts";
import type { Image } from "./images.ts";

const shell = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: "utf8" });

/** The address of this machine in the first network that isn't internal. */
export const gateway = "10.88.0.1";

export type Containers = ReturnType<typeof createContainers>;

/** Sets up the networks and file systems of compose.yaml. Run it in a separate network and mount namespace. */
export function createContainers(
  { services, networks }: ComposeFile,
  images: Record<string, Image>,
  work: string,
) {
  // Networks that aren't internal come first: this machine is in the first one, and service names resolve to addresses in it.
  const nets = Object.entries(networks).sort(([, left], [, right]) => +!!left.internal - +!!right.internal);
  const places = Object.keys(services);
  const subnetOf = (net: string) => `10.88.${nets.findIndex(([name]) => name === net)}`;
  const addressOf = (service: string, net: string) => `${subnetOf(net)}.${places.indexOf(service) + 2}`;
  const netsOf = (service: string) =>
    nets.map(([name]) => name).filter((name) => name in (services[service]?.networks ?? {}));
  const mainAddress = (service: string) => addressOf(service, netsOf(service)[0] ?? "");
  const hosts = path.join(work, "hosts");
  const names = places.map((service) => `${mainAddress(service)} ${service}\n`);
  writeFileSync(hosts, `127.0.0.1 localhost\n${mainAddress("proxy")} launchpad.test\n${names.join("")}`);
  const supplies = path.join(work, "run");
  mkdirSync(supplies);
  mkdirSync("/run/netns", { recursive: true });
  shell("mount", "-t", "tmpfs", "tmpfs", "/run/netns");
  shell("mount", "-t", "tmpfs", "tmpfs", supplies);
  shell("mount", "--bind", hosts, "/etc/hosts");
  shell("ip", "link", "set", "lo", "up");
  for (const [net, { internal }] of nets) {
    shell("ip", "link", "add", `br-${net}`, "type", "bridge");
    shell("ip", "link", "set", `br-${net}`, "up");
    if (!internal) shell("ip", "address", "add", `${subnetOf(net)}.1/24`, "dev", `br-${net}`);
  }
  for (const service of places) connect(service);

  function connect(service: string): void {
    shell("ip", "netns", "add", service);
    shell("ip", "-n", service, "link", "set", "lo", "up");
    for (const [at, net] of netsOf(service).entries()) {
      const [outside, inside] = [`v${places.indexOf(service)}-${at}`, `eth${at}`];
      shell("ip", "link", "add", outside, "type", "veth", "peer", "name", inside, "netns", service);
      shell("ip", "link", "set", outside, "master", `br-${net}`, "up");
      shell("ip", "-n", service, "address", "add", `${addressOf(service, net)}/24`, "dev", inside);
      shell("ip", "-n", service, "link", "set", inside, "up");
    }
  }

  const imageOf = ({ image }: Service): Image => {
    const found = images[image];
    if (found === undefined) throw new Error(`there is no substitute for the image ${image}`);
    return found;
  };

  /** Mounts a copy-on-write view of this machine's file system, with the project at /app and the service's volumes. */
  function rootOf(service: string, definition: Service): string {
    const [upper, workdir, root] = ["upper", "work", "root"].map((name) =>
      path.join(supplies, service, name),
    );
    for (const folder of [upper, workdir, root] as string[]) mkdirSync(folder, { recursive: true });
    shell(
      "mount",
      "-t",
      "overlay",
      "overlay",
      "-o",
      `lowerdir=/,upperdir=${upper},workdir=${workdir}`,
      root as string,
    );
    const within = (target: string) => `${root}${target}`;
    const bind = (source: string, target: string, ...options: string[]) => {
      if (lstatSync(source).isDirectory()) mkdirSync(within(target), { recursive: true });
      else {
        mkdirSync(path.dirname(within(target)), { recursive: true });
        writeFileSync(within(target), "");
      }
      shell("mount", "--bind", source, within(target));
      if (options.length > 0) shell("mount", "-o", `remount,bind,${options}`, within(target));
    };
    const { user } = imageOf(definition);
    bind(projectDir, "/app", "ro");
    bind(hosts, "/etc/hosts", "ro");
    mkdirSync(within("/var/run/postgresql"), { recursive: true });
    chownSync(within("/var/run/postgresql"), user, user);
    for (const volume of definition.volumes ?? []) {
      const [source = "", target = "", mode] = volume.split(":");
      const folder = source.startsWith("/") ? source : path.join(work, "volumes", source);
      if (!existsSync(folder)) {
        mkdirSync(folder, { recursive: true });
        chownSync(folder, user, user);
      }
      bind(folder, target, ...(mode === "ro" ? ["ro"] : []));
    }
    shell("mount", "-t", "proc", "proc", within("/proc"));
    shell("mount", "--rbind", "/dev", within("/dev"));
    if (definition.read_only) shell("mount", "-o", "remount,ro", root as string);
    for (const target of definition.tmpfs ?? []) shell("mount", "-t", "tmpfs", "tmpfs", within(target));
    return root as string;
  }

  const roots = new Map<string, string>();

  /** Runs a command in a service's container. */
  function execute(service: string, command: string[]): Program {
    const definition = services[service];
    if (definition === undefined) throw new Error(`compose.yaml has no ${service}`);
    const { user, environment, workingDir } = imageOf(definition);
    const root = roots.get(service) ?? rootOf(service, definition);
    roots.set(service, root);
    const dropped = (definition.cap_drop ?? []).map((name) => `-${name.toLowerCase()}`);
    const added = (definition.cap_add ?? []).map((name) => `+${name.toLowerCase()}`);
    const bounding = [...dropped, ...added].join(",");
    const variables = Object.entries({ ...environment, ...definition.environment });
    return runCommand("ip", [
      ...["netns", "exec", service, "chroot", root],
      ...["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"],
      ...(bounding === "" ? [] : [`--bounding-set=${bounding}`, "--inh-caps=-all"]),
      ...(definition.security_opt?.includes("no-new-privileges:true") ? ["--no-new-privs"] : []),
      ...["env", "-i", `--chdir=${workingDir}`, ...variables.map(([name, value]) => `${name}=${value}`)],
      ...command,
    ]);
  }

  return {
    addressOf,
    execute,
    /** Starts a service with its image's entry point and command. */
    start(service: string): Program {
      const definition = services[service] as Service;
      const { entrypoint, command } = imageOf(definition);
      return execute(service, [...entrypoint, ...(definition.command ?? command)]);
    },
    /** Resolves once the service's health check passes. Throws with its log if the service ends first. */
    async healthy(service: string, program: Program): Promise<void> {
      const definition = services[service] as Service;
      const check = definition.healthcheck?.test.slice(1) ?? imageOf(definition).healthcheck ?? ["true"];
      await until(`${service} to be healthy`, async () => {
        if (program.hasExited()) throw new Error(`${service} has ended:\n${program.output()}`);
        return (await execute(service, check).exited) === 0;
      }).catch((error: unknown) => {
        throw new Error(`${error}\n${program.output()}`);
      });
    },
  };
}
