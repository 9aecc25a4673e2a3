import path from "node:path";
import { fileURLToPath } from "node:url";
import { projectDir } from "../../runtime/ponder/ponder.ts";

/** A Ponder project to measure, by its folder. */
export type App = { name: "ours" | "bare" | "then"; folder: string };

export const ours: App = { name: "ours", folder: projectDir };

/** Indexes the same events of the same contracts and only counts them. */
export const bare: App = {
  name: "bare",
  folder: path.join(fileURLToPath(new URL(".", import.meta.url)), "bare"),
};
