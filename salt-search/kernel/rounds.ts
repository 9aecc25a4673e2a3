import { beforePi, laneIndex, rotations } from "./keccak.ts";
import type { Program, Value } from "./program.ts";

/** A lane's value, which is stored either as it is or with all its bits inverted. */
export type Lane = { value: Value; inverted: boolean };

/** The lanes, by index, that are stored inverted between rounds. */
export type Inversion = ReadonlySet<number>;

/**
 * With these lanes inverted, chi needs one `not` per row instead of five where and-not isn't a single instruction. The set is the
 * Keccak team's ("lane complementing", Keccak implementation overview, section 2.2).
 */
export const laneComplements: Inversion = new Set([1, 2, 8, 12, 17, 20]);
export const noInversion: Inversion = new Set();

/** Computes the five lanes (0, y) to (4, y). */
type Rows = (y: number) => Lane[];

/** Theta, rho and pi: the linear part of a round. Rows are computed on demand, because all of them at once take up registers. */
export function linearLayer(program: Program, lanes: Lane[]): Rows {
  const at = (index: number) => lanes[index] as Lane;
  const xor = (left: Lane, right: Lane): Lane => ({
    value: program.xor(left.value, right.value),
    inverted: left.inverted !== right.inverted,
  });
  const rotate = ({ value, inverted }: Lane, by: number): Lane => ({
    value: program.rotate(value, by),
    inverted,
  });

  const parities = columns((x) => [0, 1, 2, 3, 4].map((y) => at(laneIndex(x, y))).reduce(xor));
  const parity = (x: number) => parities[(x + 5) % 5] as Lane;
  const effects = columns((x) => xor(parity(x - 1), rotate(parity(x + 1), 1)));

  return (y) =>
    columns((x) => {
      const from = beforePi(x, y);
      return rotate(xor(at(from), effects[from % 5] as Lane), rotations[from] ?? 0);
    });
}

/**
 * Chi and iota: the nonlinear part of a round, and the round's constant.
 *
 * @param constant iota's constant
 * @param inversion the lanes to leave inverted
 */
export function nonlinearLayer(
  program: Program,
  rows: Rows,
  constant: Value,
  inversion: Inversion,
  hasAndNot: boolean,
): Lane[] {
  const combined = [0, 1, 2, 3, 4].flatMap((y) => {
    const row = rows(y);
    const inversions = columns((x) => inversion.has(laneIndex(x, y)));
    return hasAndNot && ![...row.map(({ inverted }) => inverted), ...inversions].includes(true)
      ? columns((x) => chiWithAndNot(program, row, x))
      : chiWithInversions(program, row, inversions);
  });
  const [first, ...rest] = combined as [Lane, ...Lane[]];
  return [{ ...first, value: program.xor(first.value, constant) }, ...rest];
}

function chiWithAndNot(program: Program, row: Lane[], x: number): Lane {
  const [first, second, third] = neighbours(row, x);
  return { value: program.xor(first.value, program.andnot(third.value, second.value)), inverted: false };
}

/**
 * `a ^ (~b & c)` equals `~a ^ (b | ~c)`, so there is a choice for each lane, and either can produce the result or its inverse.
 * Makes the choices for which the fewest lanes of the row have to be inverted.
 */
function chiWithInversions(program: Program, row: Lane[], wanted: boolean[]): Lane[] {
  const plans = Array.from({ length: 32 }, (_, choice) =>
    columns((x) => literals(row, x, wanted[x] === true, (choice >> x) % 2 === 1)),
  );
  const [best] = plans.toSorted((left, right) => countInversions(row, left) - countInversions(row, right));

  const inverses = new Map<number, Value>();
  const literal = (x: number, inverted: boolean): Value => {
    const lane = row[x % 5] as Lane;
    if (lane.inverted === inverted) return lane.value;
    const inverse = inverses.get(x % 5) ?? program.not(lane.value);
    inverses.set(x % 5, inverse);
    return inverse;
  };
  return (best as Plan[]).map(({ first, second, third, join }, x) => ({
    value: program.xor(literal(x, first), program[join](literal(x + 1, second), literal(x + 2, third))),
    inverted: wanted[x] === true,
  }));
}

/** Whether each of an equation's three lanes is needed inverted, and how the last two are joined. */
type Plan = { first: boolean; second: boolean; third: boolean; join: "and" | "or" };

function literals(row: Lane[], x: number, wanted: boolean, flip: boolean): Plan {
  const first = neighbours(row, x)[0].inverted !== flip;
  return first === wanted
    ? { first, second: true, third: false, join: "and" }
    : { first, second: false, third: true, join: "or" };
}

function countInversions(row: Lane[], plans: Plan[]): number {
  const inverted = new Set<number>();
  for (const [x, { first, second, third }] of plans.entries()) {
    for (const [offset, wanted] of [first, second, third].entries()) {
      if (row[(x + offset) % 5]?.inverted !== wanted) inverted.add((x + offset) % 5);
    }
  }
  return inverted.size;
}

function neighbours(row: Lane[], x: number): [Lane, Lane, Lane] {
  return [row[x], row[(x + 1) % 5], row[(x + 2) % 5]] as [Lane, Lane, Lane];
}

function columns<Item>(of: (x: number) => Item): Item[] {
  return [0, 1, 2, 3, 4].map(of);
}
