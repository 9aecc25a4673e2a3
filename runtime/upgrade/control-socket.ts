import { rm } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { ignore, waitUntil } from "../../config/async.ts";
import { parseJson } from "../../config/parse.ts";

/** The request that `npm run upgrade` sends to the running version. */
export type UpgradeRequest = {
  /** The Node executable and the folder of the new version. */
  program: string;
  folder: string;
  /** The schema to index into; chosen if left out. */
  to?: string;
};

/** A line of progress, or the result. */
export type UpgradeAnswer =
  | { kind: "line"; text: string }
  | { kind: "done"; text: string }
  | { kind: "failed"; text: string };

/** The limit for the path of a Unix socket. */
const maxPathBytes = 103;

export const controlPath = (dataDir: string) => path.resolve(dataDir, "control.sock");

export type ControlOptions = {
  dataDir: string;
  log: (line: string) => void;
  /** @param disconnected aborted when the client closes the connection */
  onUpgrade: (
    request: UpgradeRequest,
    answer: (answer: UpgradeAnswer) => void,
    disconnected: AbortSignal,
  ) => Promise<void>;
  /** Milliseconds to wait for a version that has just been replaced, and still receives the requests. */
  patienceMs?: number;
};

/**
 * Listens for upgrade requests of the user that this process runs as, until the signal aborts. A failure is logged and stops
 * nothing else.
 */
export async function openControlSocket(options: ControlOptions, signal: AbortSignal): Promise<void> {
  const { dataDir, log, patienceMs = 3_000 } = options;
  const file = controlPath(dataDir);
  const refuse = (reason: string) => log(`npm run upgrade can't reach this process: ${reason}`);
  if (Buffer.byteLength(file) > maxPathBytes) {
    return refuse(
      `the path ${file} is longer than ${maxPathBytes} bytes: use a DATA_DIR with a shorter path`,
    );
  }
  const isFree = async () => signal.aborted || !(await isAnswered(file));
  if (!(await waitUntil(isFree, { everyMs: 100, forMs: patienceMs })))
    return refuse("another npm start uses the same DATA_DIR and receives the requests");
  if (signal.aborted) return;
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

/** Undefined if it is none: whoever may open the socket may send anything. */
function parseRequest(line: string): UpgradeRequest | undefined {
  const { program, folder, to } = (parseJson(line) ?? {}) as Partial<UpgradeRequest>;
  const areTexts = typeof program === "string" && typeof folder === "string";
  return areTexts && /^(string|undefined)$/.test(typeof to) ? { program, folder, to } : undefined;
}

async function listen(file: string, { log, onUpgrade }: ControlOptions, signal: AbortSignal): Promise<void> {
  const server = net.createServer((socket) => {
    const disconnected = new AbortController();
    socket.once("close", () => disconnected.abort());
    socket.on("error", ignore);
    const answer = (value: UpgradeAnswer) => {
      if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
      if (value.kind !== "line") socket.end();
    };
    const lines = createInterface({ input: socket });
    lines.on("error", ignore);
    lines.once("line", (line) => {
      const request = parseRequest(line);
      if (request === undefined)
        return answer({ kind: "failed", text: "this is no request of npm run upgrade" });
      onUpgrade(request, answer, disconnected.signal).catch((error: unknown) => log(`upgrade: ${error}`));
    });
  });
  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject);
  // With the mask, only this user can connect, from the moment that the socket exists.
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
