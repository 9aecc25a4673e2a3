/** Returns the tab that a key leads to from the selected one, or undefined if the key doesn't move between tabs. */
export function tabOfKey<Name extends string>(
  key: string,
  names: readonly Name[],
  selected: Name,
): Name | undefined {
  const at = names.indexOf(selected);
  switch (key) {
    case "ArrowRight":
      return names[(at + 1) % names.length];
    case "ArrowLeft":
      return names.at(at - 1);
    case "Home":
      return names[0];
    case "End":
      return names.at(-1);
    default:
      return undefined;
  }
}
