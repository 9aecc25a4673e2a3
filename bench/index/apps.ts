import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { projectDir } from "../../runtime/ponder/ponder.ts";

/** A Ponder project to measure: its folder, and the module that Node loads before Ponder to patch it for this project. */
export type App = { name: "ours" | "bare" | "then"; folder: string; preload: string };

const bareFolder = path.join(fileURLToPath(new URL(".", import.meta.url)), "bare");

/** A project that indexes the same events of the same contracts but only counts them. */
export const bare: App = {
  name: "bare",
  folder: bareFolder,
  preload: path.join(bareFolder, "preload.ts"),
};

export const ours = project("ours", projectDir);

/** A version of this project. Early versions ran an unpatched Ponder, as the bare app does. */
export function project(name: "ours" | "then", folder: string): App {
  const preload = path.join(folder, "runtime/ponder/preload.ts");
  return { name, folder, preload: existsSync(preload) ? preload : bare.preload };
}
