import type { Context } from "hono";
import { accepts } from "hono/accepts";

/** Returns which of an answer's media types the client prefers: `byDefault` if it accepts none. Caches keep one answer for each. */
export function acceptedType<Type extends string>(
  c: Context,
  types: readonly Type[],
  byDefault: NoInfer<Type>,
): Type {
  c.header("Vary", "Accept", { append: true });
  return accepts(c, { header: "Accept", supports: [...types], default: byDefault }) as Type;
}
