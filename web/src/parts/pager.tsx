import type { ComponentChildren } from "preact";

type PagerProps = {
  /** What the pages are of, for screen readers. */
  label: string;
  page: number;
  hasMore: boolean;
  /** The texts of the buttons. */
  back: string;
  next: string;
  onTurn: (page: number) => void;
  /** What is between them. */
  children?: ComponentChildren;
};

/** Buttons that turn the pages of a list. At either end they stay where they are, so that the focus stays on them. */
export function Pager({ label, page, hasMore, back, next, onTurn, children }: PagerProps) {
  return (
    <nav class="pages" aria-label={label}>
      <Turn text={back} isPossible={page > 1} onTurn={() => onTurn(page - 1)} />
      {children}
      <Turn text={next} isPossible={hasMore} onTurn={() => onTurn(page + 1)} />
    </nav>
  );
}

type TurnProps = { text: string; isPossible: boolean; onTurn: () => void };

const Turn = ({ text, isPossible, onTurn }: TurnProps) => (
  <button type="button" class="button" aria-disabled={!isPossible} onClick={() => isPossible && onTurn()}>
    {text}
  </button>
);
