import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";

/**
 * Counts a query's fields with its fragments expanded: a chain of fragments that each use the next one twice doubles at every link,
 * and executing it visits every field. Takes time linear in the text, since each fragment is counted once.
 *
 * @returns the number of fields in all operations; Infinity if a fragment contains itself
 */
export function querySize(document: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const sizes = new Map<string, number>();

  function fragmentSize(name: string): number {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const fragment = fragments.get(name);
    if (fragment === undefined) return 0;
    // Found if the fragment turns out to contain itself.
    sizes.set(name, Number.POSITIVE_INFINITY);
    const size = selectionSize(fragment.selectionSet);
    sizes.set(name, size);
    return size;
  }

  function selectionSize({ selections }: SelectionSetNode): number {
    let size = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) size += 1 + fragmentSize(selection.name.value);
      else size += 1 + (selection.selectionSet === undefined ? 0 : selectionSize(selection.selectionSet));
    }
    return size;
  }

  let size = 0;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) size += selectionSize(definition.selectionSet);
  }
  return size;
}
