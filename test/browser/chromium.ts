import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

/* A real browser without a separate download: Chromium comes in an npm package. */

const project = fileURLToPath(new URL("../..", import.meta.url));
const packageFile = path.join(project, "node_modules/@sparticuz/chromium/package.json");
const unpacker = fileURLToPath(new URL("unpack-chromium.ts", import.meta.url));

/**
 * Starts Chromium without the package's default arguments, which turn off protections such as the same-origin policy. The caller
 * closes it, and creates pages with `newContext()`.
 */
export async function launchChromium(): Promise<Browser> {
  // The package only supports Linux on x64. Elsewhere an installed Chrome is used.
  if (process.platform !== "linux" || process.arch !== "x64") {
    return await chromium.launch({ channel: "chrome" });
  }
  const folder = await unpackedChromium();
  return await chromium.launch({
    executablePath: path.join(folder, "chromium"),
    // A zygote needs permissions that not every machine grants, so child processes are started directly.
    args: ["--no-zygote"],
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      TMPDIR: process.env.TMPDIR,
      LD_LIBRARY_PATH: path.join(folder, "al2023/lib"),
      FONTCONFIG_FILE: path.join(folder, "fonts.conf"),
    },
  });
}

/** Returns the folder of the unpacked Chromium, 210 MB that are kept from run to run. Several processes may call it at once. */
async function unpackedChromium(): Promise<string> {
  const { version } = JSON.parse(await readFile(packageFile, "utf8")) as { version: string };
  const cache = path.join(project, "node_modules/.cache");
  const folder = path.join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;

  await mkdir(cache, { recursive: true });
  const begun = await mkdtemp(`${folder}.`);
  // The package unpacks its libraries only where it believes that the host lacks them, as on Lambda.
  const env = { PATH: process.env.PATH, TMPDIR: begun, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" };
  await promisify(execFile)(process.execPath, [unpacker], { env });
  await writeFile(path.join(begun, "fonts.conf"), fontsIn(path.join(folder, "fonts")));
  // The first process wins, because a rename doesn't replace a folder that isn't empty.
  await rename(begun, folder).catch(() => rm(begun, { recursive: true }));
  return folder;
}

const fontsIn = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`;
