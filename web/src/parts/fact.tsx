import type { ComponentChildren, DdHTMLAttributes } from "preact";

type FactProps = DdHTMLAttributes<HTMLElement> & { name: ComponentChildren };

/** An entry of a description list. The other properties are those of the value. */
export const Fact = ({ name, ...value }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd {...value} />
  </div>
);
