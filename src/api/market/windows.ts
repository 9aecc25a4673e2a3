/** The lengths of windows, in seconds. A window ends with the chain's last indexed block. */
export const windowSeconds = { "5m": 300, "1h": 3_600, "6h": 21_600, "24h": 86_400 } as const;

export type WindowName = keyof typeof windowSeconds;

/** The shortest first. */
export const windowNames = Object.keys(windowSeconds) as WindowName[];

/** Builds an object with a value for each window. */
export function perWindow<Value>(
  value: (name: WindowName, index: number) => Value,
): Record<WindowName, Value> {
  return Object.fromEntries(windowNames.map((name, index) => [name, value(name, index)])) as Record<
    WindowName,
    Value
  >;
}
