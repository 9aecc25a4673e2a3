import { distance } from "fastest-levenshtein";
import { chainIds, chainVariables } from "./chain-settings.ts";
import { generalVariables } from "./env.ts";
import { imageVariables } from "./images.ts";
import type { Variables } from "./variables.ts";

/** Shorter names are close to too many others. */
const shortestName = 6;
const mostTypos = 2;

const names = [
  ...Object.keys(generalVariables.shape),
  ...Object.keys(imageVariables.shape),
  ...chainIds.flatMap((id) => Object.keys(chainVariables.shape).map((name) => `${name}_${id}`)),
];

/** A line for each variable that nothing reads and whose name is nearly that of one of ours. */
export function findMisspelled(variables: Variables): string[] {
  return Object.keys(variables).flatMap((name) => {
    if (name.length < shortestName || names.includes(name)) return [];
    const meant = names.find(
      (known) => known.length >= shortestName && distance(name.toUpperCase(), known) <= mostTypos,
    );
    return meant === undefined ? [] : [`${name} is not a setting and has no effect: did you mean ${meant}?`];
  });
}
