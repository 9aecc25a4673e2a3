import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";

type Shape = { depth: number; aliases: number };

/**
 * Returns how deep fields are nested and how many are aliased, with fragments expanded. Each fragment is measured once, and must not
 * contain itself.
 */
export function queryShape(document: DocumentNode): Shape {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const known = new Map<string, Shape>();

  function fragmentShape(name: string): Shape {
    const shape = known.get(name) ?? selectionShape(fragments.get(name)?.selectionSet);
    known.set(name, shape);
    return shape;
  }

  function selectionShape(set: SelectionSetNode | undefined): Shape {
    const shape = { depth: 0, aliases: 0 };
    for (const selection of set?.selections ?? []) {
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? fragmentShape(selection.name.value)
          : selectionShape(selection.selectionSet);
      const isField = selection.kind === Kind.FIELD;
      shape.depth = Math.max(shape.depth, inner.depth + (isField ? 1 : 0));
      shape.aliases += inner.aliases + (isField && selection.alias !== undefined ? 1 : 0);
    }
    return shape;
  }

  const whole = { depth: 0, aliases: 0 };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, aliases } = selectionShape(definition.selectionSet);
    whole.depth = Math.max(whole.depth, depth);
    whole.aliases += aliases;
  }
  return whole;
}
