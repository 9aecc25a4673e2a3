import { tmpdir } from "node:os";
import path from "node:path";

const rememberModules = new URL("../run/remember-modules.mjs", import.meta.url).href;

/**
 * What every program of ours that a test starts gets of the environment, and nothing else: the test runner's own sets BASE_URL and
 * NODE_ENV among others.
 */
export function programEnvironment() {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_OPTIONS: `--import=${rememberModules}`,
    // In the folder of the run.
    MODULES_FILE: path.join(tmpdir(), "modules.json"),
    NODE_COMPILE_CACHE: path.join(tmpdir(), "compiled"),
  };
}
