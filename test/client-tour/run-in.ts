import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { launchChromium } from "../browser/chromium.ts";
import { startHttpServer } from "../doubles/http-server.ts";
import { installNpmProgram } from "../service/npm-program.ts";
import { runCommand } from "../service/program.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import type { TourInput, TourResult } from "./tour.ts";

/** Runs the tour, and calls `onConnected` each time its stream connects. */
type Run = (input: TourInput, onConnected: () => void) => Promise<TourResult>;

const source = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function runProgram(command: string, input: TourInput, onConnected: () => void): Promise<TourResult> {
  const home = await temporaryFolder();
  try {
    const program = runCommand(command, [source("main.ts"), JSON.stringify(input)], {
      // Preloads nothing of ours, so that the tour runs as any user's script would.
      env: { HOME: home.folder, NODE_OPTIONS: undefined, DO_NOT_TRACK: "1" },
    });
    await program.untilOutput("connected");
    onConnected();
    if ((await program.exited) !== 0) throw new Error(program.output());
    return JSON.parse(program.outputAfter("found"));
  } finally {
    await home.remove();
  }
}

export const runInNode: Run = (...given) => runProgram(process.execPath, ...given);

export const runInBun: Run = async (...given) => {
  const folder = await installNpmProgram("bun@1.4.5");
  // Bun's package for this machine.
  const architecture = process.arch === "arm64" ? "aarch64" : process.arch;
  const bun = `node_modules/@oven/bun-${process.platform}-${architecture}/bin/bun`;
  return await runProgram(path.join(folder, bun), ...given);
};

/** Runs the tour in a page of another origin than the service's. */
export const runInBrowser: Run = async (input, onConnected) => {
  const { outputFiles } = await build({
    entryPoints: [source("page.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
  });
  const script = outputFiles[0]?.text ?? "";
  const server = await startHttpServer(async ({ url }) =>
    url.pathname === "/page.js"
      ? { status: 200, body: script, headers: { "content-type": "text/javascript" } }
      : {
          status: 200,
          body: '<!doctype html><title>Tour</title><script type="module" src="/page.js"></script>',
          headers: { "content-type": "text/html" },
        },
  );
  const browser = await launchChromium();
  try {
    const page = await (await browser.newContext()).newPage();
    page.on("console", (message) => {
      if (message.text() === "connected") onConnected();
    });
    await page.goto(server.url);
    return await page.evaluate(
      (given) => (globalThis as unknown as { tour: (input: TourInput) => Promise<TourResult> }).tour(given),
      input,
    );
  } finally {
    await browser.close();
    await server.close();
  }
};
