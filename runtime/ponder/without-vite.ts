/*
 * Replaces what Ponder's build uses of Vite and vite-node with Node itself, which runs our TypeScript as it is. Loading Vite and
 * compiling each of our files with it took most of the startup time. In development Vite stays: it knows what an edit affects.
 */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/** Ponder's own plugin provides the source of its virtual modules, such as `ponder:schema`. */
type Plugin = { load?(id: string): string | null };

export async function createServer({ root, plugins }: { root: string; plugins: Plugin[] }) {
  registerHooks({
    resolve(specifier, context, next) {
      if (isVirtual(specifier)) return { url: specifier, format: "module", shortCircuit: true };
      if (!isVirtual(context.parentURL)) return next(specifier, context);
      // Virtual modules import packages, and files by their absolute paths.
      if (specifier.startsWith("/")) return next(pathToFileURL(specifier).href, context);
      return next(specifier, { ...context, parentURL: import.meta.url });
    },
    load(url, context, next) {
      if (!isVirtual(url)) return next(url, context);
      const source = plugins.map((plugin) => plugin.load?.(url)).find((text) => text != null);
      return { format: "module", source, shortCircuit: true };
    },
  });
  return { config: { root }, pluginContainer: { async buildStart() {} }, async close() {} };
}

const isVirtual = (specifier: string | undefined) => specifier?.startsWith("ponder:") === true;

export class ViteNodeServer {}

export class ViteNodeRunner {
  executeFile = async (file: string): Promise<object> => await import(pathToFileURL(file).href);
  executeId = async (id: string): Promise<object> => await import(id);
}

/** Not needed: Node keeps the lines and columns of our sources when it strips types. */
export const installSourcemapsSupport = () => {};

/** Not needed: our tsconfig.json has no paths. */
export function viteTsconfigPathsPlugin(): Plugin {
  return {};
}
