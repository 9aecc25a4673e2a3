import { z } from "zod";

/** A variable that takes a whole number within these bounds. */
export const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, {
      message: `must be a whole number from ${minimum} to ${maximum}`,
    });
