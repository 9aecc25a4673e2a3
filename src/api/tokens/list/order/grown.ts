type Values = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Moves values to a larger array. */
export function grown<Larger extends Values>(room: Larger, values: Larger): Larger {
  room.set(values);
  return room;
}
