import { parse } from "graphql";
import { expect, test } from "vitest";
import { querySize } from "./check-query.ts";

const size = (query: string) => querySize(parse(query));

test("counts every field, inline or in a fragment", () => {
  expect(size("{ a b { c } }")).toBe(3);
  expect(size("{ ...f } fragment f on Query { a b }")).toBe(3);
  expect(size("{ ... on Query { a } }")).toBe(2);
});

test("a chain of 90 fragments that use each other twice is counted at once", () => {
  const links = Array.from(
    { length: 90 },
    (_, index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`,
  );
  expect(size(`{ ...f0 } ${links.join(" ")} fragment f90 on Query { __typename }`)).toBeGreaterThan(2 ** 90);
});

test("a fragment that contains itself has infinitely many fields", () => {
  expect(size("{ ...f } fragment f on Query { a ...g } fragment g on Query { ...f }")).toBe(
    Number.POSITIVE_INFINITY,
  );
});
