import { distance } from "fastest-levenshtein";
import { alertVariables } from "./alerts.ts";
import { brandVariables } from "./brand.ts";
import { chainVariables } from "./chain-settings.ts";
import { chainIds } from "./chains.ts";
import { generalVariables } from "./env.ts";
import { imageVariables } from "./images.ts";
import { secretFileVariables } from "./process-environment.ts";
import type { Variables } from "./values.ts";

/** Shorter names are similar to too many others. */
const minNameLength = 6;
const maxTypos = 2;

const names = [
  ...Object.keys(generalVariables.shape),
  ...Object.keys(imageVariables.shape),
  ...Object.keys(alertVariables.shape),
  ...Object.keys(brandVariables.shape),
  ...chainIds.flatMap((id) => Object.keys(chainVariables.shape).map((name) => `${name}_${id}`)),
  ...secretFileVariables,
];

/** Names to compare with, and the settings that are meant: the name of a chain's setting without its id means mainnet's. */
const candidates = [
  ...names.map((name) => ({ name, meant: name })),
  // A single word may be another program's variable.
  ...Object.keys(chainVariables.shape)
    .filter((name) => name.includes("_"))
    .map((name) => ({ name, meant: `${name}_56` })),
].filter(({ name }) => name.length >= minNameLength);

/** Returns a line for each variable that is not ours, but whose name is almost that of one of ours. */
export function findMisspelled(variables: Variables): string[] {
  return Object.keys(variables).flatMap((name) => {
    if (name.length < minNameLength || names.includes(name)) return [];
    const meant = candidates.find(
      (candidate) => distance(name.toUpperCase(), candidate.name) <= maxTypos,
    )?.meant;
    return meant === undefined ? [] : [`${name} is not a setting and has no effect: did you mean ${meant}?`];
  });
}

const removed = {
  RPC_LANES: "requests are paced by what each endpoint allows",
  RPC_CACHE: "what was read from a chain is always stored",
};

/** Returns a line for each variable that an earlier version read, and that no longer has an effect. */
export function findRemoved(variables: Variables): string[] {
  return Object.entries(removed).flatMap(([name, why]) =>
    chainIds.flatMap((id) =>
      variables[`${name}_${id}`] ? [`${name}_${id} no longer has an effect: ${why}. Remove it`] : [],
    ),
  );
}
