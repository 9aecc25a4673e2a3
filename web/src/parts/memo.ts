import { Component, type ComponentChildren, type FunctionComponent, h } from "preact";

/** A component that is rendered again only when one of its properties, or a signal that it reads, changes. */
export function memo<Props extends object>(render: FunctionComponent<Props>): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const names = Object.keys(next) as (keyof Props)[];
      return names.some((name) => next[name] !== this.props[name]);
    }
    override render(): ComponentChildren {
      return h(render, this.props);
    }
  }
  return Memo as unknown as FunctionComponent<Props>;
}
