import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import { QueryRefusal } from "./refusal.ts";

/** Fields of GraphQL's schema that are lists of what may lead to such lists again. */
const lists = new Set(["fields", "interfaces", "possibleTypes", "inputFields"]);

/** Such lists inside each other: the queries of editors have one. */
const mostLists = 3;

/**
 * Refuses a walk in circles through GraphQL's own schema, whose answer grows with every turn.
 *
 * The rule of graphql-js 16.9, which Ponder doesn't have yet.
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
      if (below >= mostLists) {
        throw new QueryRefusal(
          "query_too_large",
          `Ask for the lists of GraphQL's own schema (fields, inputFields and their like) at most ${mostLists - 1} deep.`,
        );
      }
      check(inner, below);
    }
  }
  if (field.selectionSet !== undefined) check(field.selectionSet, 0);
}
