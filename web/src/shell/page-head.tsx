import { useEffect } from "preact/hooks";
import { Problem, type ProblemProps, problemTitle } from "../parts/problem.tsx";

/** How the operator presents the explorer. The server puts it into the page's head. */
type Brand = {
  name: string;
  /** The path of the operator's own logo. */
  logo?: string;
  links: { label: string; url: string }[];
  termsUrl?: string;
  privacyUrl?: string;
};

export const brand: Brand = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content ?? "{}",
);

/** Whether the operator has alerts on. The server says so in the page's head. */
export const hasAlerts = document.querySelector('meta[name="alerts"]') !== null;

/** Sets the document's title. */
export function Title({ children }: { children: string }) {
  useEffect(() => {
    document.title = `${children} · ${brand.name}`;
  }, [children]);
  return null;
}

/** A problem in the place of a page. */
export const PageProblem = (props: ProblemProps) => (
  <>
    <Title>{problemTitle(props.error)}</Title>
    <Problem {...props} />
  </>
);
