import ts from "typescript";
import type { Descriptions } from "../../src/api/graphql/general-descriptions.ts";

/** A schema file. */
type Source = { name: string; text: string };

/**
 * Reads the comments on the exports of a drizzle schema, on the columns of its tables, and on relations. A view's column
 * without a comment inherits that of the table's column.
 *
 * @param known descriptions of tables in other files
 * @returns the comments found, and the names of everything that lacks one
 */
export function readComments({ name, text }: Source, known: Descriptions = {}) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: Descriptions = {};
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
    const described = found[related ?? export_] ?? { description: readComment(statement), fields: {} };
    if (related === undefined) {
      note(export_, described.description);
      found[export_] = described;
    }
    for (const field of readFields(call)) {
      const [table = "", column = ""] = field.initializer.getText().split(".");
      const inherited = found[table]?.fields[column] ?? known[table]?.fields[column] ?? "";
      const fieldName = field.name.getText();
      described.fields[fieldName] = note(
        `${related ?? export_}.${fieldName}`,
        readComment(field) || inherited,
      );
    }
  }
  return { found, missing };
}

/** The properties that define a table's columns, a view's selection, or relations. */
function readFields(call: ts.CallExpression): ts.PropertyAssignment[] {
  const select = find(
    call,
    (node) => ts.isCallExpression(node) && /\.select$/.test(node.expression.getText()),
  );
  const [first, second] = (select ?? call).arguments;
  const given = select === undefined ? second : first;
  if (given === undefined) return [];
  const fields = ts.isArrowFunction(given) ? bodyOf(given) : given;
  if (!ts.isObjectLiteralExpression(fields)) return [];
  return readProperties(fields);
}

/** The properties of an object literal, including those that a function in the same file adds: `...columns()`. */
function readProperties(fields: ts.ObjectLiteralExpression): ts.PropertyAssignment[] {
  return fields.properties.flatMap((property) => {
    if (ts.isPropertyAssignment(property)) return [property];
    if (!ts.isSpreadAssignment(property) || !ts.isCallExpression(property.expression)) return [];
    const name = property.expression.expression.getText();
    const declared = declarationsIn(property.getSourceFile()).find((known) => known.name.getText() === name);
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
