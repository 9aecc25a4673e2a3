import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import { QueryRefusal } from "./refusal.ts";

/** Fields of GraphQL's own schema that are lists, and may lead to further such lists. */
const lists = new Set(["fields", "interfaces", "possibleTypes", "inputFields"]);

/** From this nesting of such lists on, a query is refused. The queries of editors have one level. */
const maxListDepth = 3;

/**
 * Refuses an introspection query that goes round in circles, as its answer grows with each round.
 *
 * graphql-js 16.9 has the same rule, but Ponder's version doesn't.
 */
export function checkIntrospection(field: FieldNode, fragments: Map<string, FragmentDefinitionNode>): void {
  function check(selections: SelectionSetNode, depth: number): void {
    for (const selection of selections.selections) {
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? fragments.get(selection.name.value)?.selectionSet
          : selection.selectionSet;
      if (inner === undefined) continue;
      const below = selection.kind === Kind.FIELD && lists.has(selection.name.value) ? depth + 1 : depth;
      if (below >= maxListDepth) {
        throw new QueryRefusal(
          "query_too_large",
          `Nest the lists of GraphQL's own schema (fields, inputFields and the like) at most ${maxListDepth - 1} deep.`,
        );
      }
      check(inner, below);
    }
  }
  if (field.selectionSet !== undefined) check(field.selectionSet, 0);
}
