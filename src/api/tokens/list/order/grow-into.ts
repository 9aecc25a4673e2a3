type Values = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Copies values into a larger array, and returns that. */
export function growInto<Larger extends Values>(larger: Larger, values: Larger): Larger {
  larger.set(values);
  return larger;
}
