import { type FieldNode, Kind, type OperationDefinitionNode, type ValueNode } from "graphql";

export type Variables = Record<string, unknown>;

/** Returns a field's argument as JSON with variables filled in; undefined if it is not given. */
export function readArgument(field: FieldNode, name: string, variables: Variables): unknown {
  const value = field.arguments?.find((candidate) => candidate.name.value === name)?.value;
  return value === undefined ? undefined : jsonOf(value, variables);
}

/** Returns the default values of an operation's variables. */
export function defaultVariables(operation: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, jsonOf(defaultValue, {})]],
    ),
  );
}

function jsonOf(value: ValueNode, variables: Variables): unknown {
  switch (value.kind) {
    case Kind.VARIABLE:
      return Object.hasOwn(variables, value.name.value) ? variables[value.name.value] : undefined;
    case Kind.LIST:
      return value.values.map((item) => jsonOf(item, variables) ?? null);
    case Kind.OBJECT:
      // A field whose variable has no value is left out.
      return Object.fromEntries(
        value.fields.flatMap((field) => {
          const json = jsonOf(field.value, variables);
          return json === undefined ? [] : [[field.name.value, json]];
        }),
      );
    case Kind.INT:
    case Kind.FLOAT:
      return Number(value.value);
    case Kind.NULL:
      return null;
    default:
      return value.value;
  }
}
