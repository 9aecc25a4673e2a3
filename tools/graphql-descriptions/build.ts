import { readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";
import type { Descriptions } from "../../src/api/graphql/general-descriptions.ts";

/** A schema file. */
type Source = { name: string; text: string };

/**
 * Reads the comments on the exports of a drizzle schema, on the columns of its tables, and on relations. A view's column
 * without a comment inherits that of the table's column.
 *
 * @param fallbacks descriptions of tables in other files
 * @returns the comments found, and the names of everything that lacks one
 */
function readComments({ name, text }: Source, fallbacks: Descriptions = {}) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const descriptions: Descriptions = {};
  const missing: string[] = [];
  const note = (label: string, comment: string) => {
    if (comment === "") missing.push(label);
    return comment;
  };

  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const [declaration] = statement.declarationList.declarations;
    const call = declaration?.initializer;
    if (declaration === undefined || call === undefined || !ts.isCallExpression(call)) continue;
    const export_ = declaration.name.getText();
    const related = call.expression.getText() === "relations" ? call.arguments[0]?.getText() : undefined;
    const described = descriptions[related ?? export_] ?? { description: readComment(statement), fields: {} };
    if (related === undefined) {
      note(export_, described.description);
      descriptions[export_] = described;
    }
    for (const field of readFields(call)) {
      const [table = "", column = ""] = field.initializer.getText().split(".");
      const inherited = descriptions[table]?.fields[column] ?? fallbacks[table]?.fields[column] ?? "";
      const fieldName = field.name.getText();
      described.fields[fieldName] = note(
        `${related ?? export_}.${fieldName}`,
        readComment(field) || inherited,
      );
    }
  }
  return { found: descriptions, missing };
}

/** The properties that define a table's columns, a view's selection, or relations. */
function readFields(call: ts.CallExpression): ts.PropertyAssignment[] {
  const select = find(
    call,
    (node) => ts.isCallExpression(node) && /\.select$/.test(node.expression.getText()),
  );
  const [first, second] = (select ?? call).arguments;
  const options = select === undefined ? second : first;
  if (options === undefined) return [];
  const fields = ts.isArrowFunction(options) ? bodyOf(options) : options;
  if (!ts.isObjectLiteralExpression(fields)) return [];
  return readProperties(fields);
}

/** The properties of an object literal, including those that a function in the same file adds: `...columns()`. */
function readProperties(fields: ts.ObjectLiteralExpression): ts.PropertyAssignment[] {
  return fields.properties.flatMap((property) => {
    if (ts.isPropertyAssignment(property)) return [property];
    if (!ts.isSpreadAssignment(property) || !ts.isCallExpression(property.expression)) return [];
    const name = property.expression.expression.getText();
    const declared = declarationsIn(property.getSourceFile()).find(
      (declaration) => declaration.name.getText() === name,
    );
    const made = declared?.initializer;
    const object = made !== undefined && ts.isArrowFunction(made) ? bodyOf(made) : undefined;
    return object !== undefined && ts.isObjectLiteralExpression(object) ? readProperties(object) : [];
  });
}

const declarationsIn = (file: ts.SourceFile) =>
  file.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
  );

function bodyOf({ body }: ts.ArrowFunction): ts.Node {
  return ts.isParenthesizedExpression(body) ? body.expression : body;
}

function find(node: ts.Node, matches: (node: ts.Node) => boolean): ts.CallExpression | undefined {
  if (matches(node)) return node as ts.CallExpression;
  return ts.forEachChild(node, (child) => find(child, matches));
}

/** The doc comment of a node, as one line. */
function readComment(node: ts.Node): string {
  const doc = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc);
  return (ts.getTextOfJSDocComment(doc?.comment) ?? "").replace(/\s+/g, " ").trim();
}

/* Writes the schemas' comments to the file that GraphQL takes its descriptions from; with --check, compares them. */

const read = (name: string) => ({
  name,
  text: readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"),
});
const target = new URL("../../src/api/graphql/descriptions.json", import.meta.url);

try {
  const offchain = readComments(read("offchain/schema.ts")).found;
  const { found, missing } = readComments(read("ponder.schema.ts"), offchain);
  if (missing.length > 0) throw new Error(`ponder.schema.ts has no comment on ${missing.join(", ")}.`);
  const text = `${JSON.stringify(found, null, 2)}\n`;
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (text !== readFileSync(target, "utf8")) {
    console.error(
      "src/api/graphql/descriptions.json doesn't match the schemas' comments. Run `npm run graphql:build` and commit it.",
    );
    process.exitCode = 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
