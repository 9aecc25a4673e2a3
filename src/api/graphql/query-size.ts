import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";

/**
 * How many fields a query has once its fragments are written out: a chain of fragments that use each other twice
 * doubles at every link, and whoever walks it walks every field. Takes time linear in the text, each fragment
 * being counted once.
 *
 * @returns the fields of all operations; Infinity for a fragment that contains itself
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
    // What a fragment that contains itself finds when it comes round.
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
