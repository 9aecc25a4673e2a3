import { rm } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";

/** What `npm run upgrade` asks of the running version. */
export type UpgradeRequest = {
  /** The Node program and the folder of the new version. */
  program: string;
  folder: string;
  /** The schema to use; otherwise one is chosen. */
  to?: string;
};

/** What it is told. */
export type UpgradeAnswer =
  | { kind: "line"; text: string }
  | { kind: "done"; text: string }
  | { kind: "failed"; text: string };

/** Longer paths don't fit into the address of a Unix socket. */
const longestPath = 103;

export const controlPath = (dataDir: string) => path.resolve(dataDir, "control.sock");

export type ControlOptions = {
  dataDir: string;
  log: (line: string) => void;
  /** @param gone aborted when whoever asked has left */
  onUpgrade: (
    request: UpgradeRequest,
    answer: (answer: UpgradeAnswer) => void,
    gone: AbortSignal,
  ) => Promise<void>;
};

/**
 * Lets the user whom this process runs as ask for an upgrade, until the signal aborts. Whatever keeps it from that is logged and
 * stops nothing else.
 */
export async function openControlSocket(options: ControlOptions, signal: AbortSignal): Promise<void> {
  const { dataDir, log } = options;
  const file = controlPath(dataDir);
  const refuse = (reason: string) => log(`npm run upgrade can't reach this process: ${reason}`);
  if (Buffer.byteLength(file) > longestPath) {
    return refuse(`the path ${file} is longer than ${longestPath} bytes; a DATA_DIR with a shorter one can`);
  }
  if (await isAnswered(file)) {
    return refuse("another npm start has the same DATA_DIR, and the upgrade goes to that");
  }
  try {
    await rm(file, { force: true });
    await listen(file, options, signal);
  } catch (error) {
    refuse(String(error));
  }
}

async function isAnswered(file: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = net.connect(file);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

async function listen(file: string, { log, onUpgrade }: ControlOptions, signal: AbortSignal): Promise<void> {
  const server = net.createServer((socket) => {
    const gone = new AbortController();
    socket.once("close", () => gone.abort());
    const ignoreLostClient = () => {};
    socket.on("error", ignoreLostClient);
    const answer = (value: UpgradeAnswer) => {
      if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
      if (value.kind !== "line") socket.end();
    };
    const lines = createInterface({ input: socket });
    lines.on("error", ignoreLostClient);
    lines.once("line", (line) => {
      onUpgrade(JSON.parse(line) as UpgradeRequest, answer, gone.signal).catch((error: unknown) =>
        log(`upgrade: ${error}`),
      );
    });
  });
  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject);
  // For nobody else, from the moment that it is there.
  const mask = process.umask(0o177);
  try {
    server.listen(file, listening.resolve);
  } finally {
    process.umask(mask);
  }
  await listening.promise;
  server.unref();
  signal.addEventListener("abort", () => server.close(), { once: true });
}
