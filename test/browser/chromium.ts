import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

/* A real browser without a download: Chromium comes in an npm package. */

const project = fileURLToPath(new URL("../..", import.meta.url));
const packageFile = path.join(project, "node_modules/@sparticuz/chromium/package.json");
const unpacker = fileURLToPath(new URL("unpack-chromium.ts", import.meta.url));

/**
 * Starts Chromium, with none of the package's own arguments: they turn off what a browser protects, the same-origin policy
 * among it. The caller closes it. Pages are made with `newContext()`.
 */
export async function launchChromium(): Promise<Browser> {
  // The package is for Linux on x64. Elsewhere, an installed Chrome.
  if (process.platform !== "linux" || process.arch !== "x64") {
    return await chromium.launch({ channel: "chrome" });
  }
  const folder = await unpackedChromium();
  return await chromium.launch({
    executablePath: path.join(folder, "chromium"),
    // Children that are started afresh, so that no machine has to allow more than that.
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

/** Where Chromium is unpacked: kept from one run to the next, 210 MB. Safe to call from several processes at once. */
async function unpackedChromium(): Promise<string> {
  const { version } = JSON.parse(await readFile(packageFile, "utf8")) as { version: string };
  const cache = path.join(project, "node_modules/.cache");
  const folder = path.join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;

  await mkdir(cache, { recursive: true });
  const begun = await mkdtemp(`${folder}.`);
  // As if on a host that lacks the libraries, so that they are unpacked too.
  const env = { PATH: process.env.PATH, TMPDIR: begun, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" };
  await promisify(execFile)(process.execPath, [unpacker], { env });
  await writeFile(path.join(begun, "fonts.conf"), fontsIn(path.join(folder, "fonts")));
  // Whoever is first. A folder that is not empty is not replaced.
  await rename(begun, folder).catch(() => rm(begun, { recursive: true }));
  return folder;
}

const fontsIn = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`;
