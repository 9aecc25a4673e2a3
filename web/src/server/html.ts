import { Signal } from "@preact/signals";

/*
 * Stands in for Preact where a page is drawn on the server: components become HTML. web/vite.ts puts it in the place of `preact`,
 * `preact/hooks` and `preact/jsx-runtime`. Nothing happens after a page is drawn, so that effects never run and no state changes.
 */

/** What has been drawn. Any other text is escaped. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Props = Record<string, unknown>;
type Drawn = (props: Props) => unknown;

export class Component {
  readonly props: Props;

  constructor(props: Props) {
    this.props = props;
  }

  render(): unknown {
    return null;
  }
}

const isClass = (type: Drawn | typeof Component): type is typeof Component =>
  type.prototype instanceof Component;

/** Draws an element or a component. */
export function jsx(type: string | Drawn | typeof Component, props: Props): Html {
  if (typeof type === "string") return drawElement(type, props);
  return new Html(toHtml(isClass(type) ? new type(props).render() : type(props)));
}

/** The compiler calls this one for several children. */
export const jsxs: typeof jsx = (type, props) => jsx(type, props);
export const h: typeof jsx = (type, props) => jsx(type, props);

export const Fragment = ({ children }: Props) => children;

/** Elements that have neither content nor an end (HTML, 13.1.2). */
const empty = new Set(["br", "hr", "img", "input", "link", "meta"]);

/** Properties that are no attributes. The Content-Security-Policy refuses styles, which the page's code sets. */
const omitted = new Set(["children", "key", "ref", "style"]);

function drawElement(type: string, { children, ...props }: Props): Html {
  const attributes = Object.entries(props).map(([name, value]) => attribute(type, name, value));
  const start = `<${type}${attributes.join("")}>`;
  return new Html(empty.has(type) ? start : `${start}${toHtml(children)}</${type}>`);
}

function attribute(type: string, name: string, value: unknown): string {
  if (value === undefined || value === null || typeof value === "function" || omitted.has(name)) return "";
  // Which option is selected is no attribute of the list.
  if (type === "select" && name === "value") return "";
  const isWord = name.startsWith("aria-");
  if (value === false && !isWord) return "";
  const text = value === true && !isWord ? "" : String(value);
  return ` ${name}="${escapeHtml(text)}"`;
}

/** Draws what components return, and what is between tags. */
export function toHtml(content: unknown): string {
  if (content instanceof Html) return content.text;
  if (content instanceof Signal) return toHtml(content.value);
  if (Array.isArray(content)) return content.map(toHtml).join("");
  if (content === undefined || content === null || typeof content === "boolean") return "";
  return escapeHtml(String(content));
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");

const ignore = () => {};

export const useState = (first: unknown) => [typeof first === "function" ? first() : first, ignore];
export const useRef = (current: unknown) => ({ current });
export const useMemo = (make: () => unknown) => make();
export const useCallback = (callback: unknown) => callback;
export const useEffect = ignore;
export const useLayoutEffect = ignore;

let ids = 0;
export const useId = () => `drawn-${ids++}`;
