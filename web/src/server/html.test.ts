import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import { Component, Fragment, jsx, toHtml, useMemo, useState } from "./html.ts";

const drawn = (type: Parameters<typeof jsx>[0], props = {}) => toHtml(jsx(type, props));

test("texts and attributes are escaped, whatever they contain", () => {
  const attack = `"'><script>&amp;</script>`;
  expect(drawn("a", { title: attack, children: [attack, jsx("b", { children: attack })] })).toBe(
    '<a title="&quot;&#39;&gt;&lt;script&gt;&amp;amp;&lt;/script&gt;">' +
      "&quot;&#39;&gt;&lt;script&gt;&amp;amp;&lt;/script&gt;" +
      "<b>&quot;&#39;&gt;&lt;script&gt;&amp;amp;&lt;/script&gt;</b></a>",
  );
  // What looks like something drawn, but comes from data.
  expect(drawn("p", { children: { text: "<script>" } })).toBe("<p>[object Object]</p>");
});

test("attributes are as Preact sets them", () => {
  expect(
    drawn("input", { checked: true, disabled: false, value: "", "aria-pressed": false, maxLength: 3 }),
  ).toBe('<input checked="" value="" aria-pressed="false" maxLength="3">');
  expect(drawn("select", { value: "b", children: jsx("option", { value: "b" }) })).toBe(
    '<select><option value="b"></option></select>',
  );
  expect(drawn("svg", { viewBox: "0 0 1 1", class: undefined, title: null })).toBe(
    '<svg viewBox="0 0 1 1"></svg>',
  );
});

test("handlers, references, keys and styles are left out", () => {
  const props = { onClick: () => {}, ref: { current: null }, key: 1, style: { color: "red" } };
  expect(drawn("button", props)).toBe("<button></button>");
});

const Counter = () => {
  const [count] = useState(() => 3);
  const text = useMemo(() => signal(`${count} otters`));
  return jsx(Fragment, { children: [text, null, undefined, false, true, 0] });
};

class Framed extends Component {
  override render() {
    return jsx("p", { children: [jsx(Counter, {}), this.props.end] });
  }
}

test("components draw their first state, and signals their value", () => {
  expect(drawn(Framed, { end: "!" })).toBe("<p>3 otters0!</p>");
});
