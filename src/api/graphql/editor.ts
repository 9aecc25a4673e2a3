import path from "node:path";
import { Hono } from "hono";
import { createToolPage } from "../http/common-headers.ts";
import { packageFolder, packageVersion, serveStaticFiles } from "../http/static-files.ts";

/** The editor's files by the name that we serve them under. They come from npm, so the editor works offline. */
const assets = {
  "react.js": { package: "react", file: "umd/react.production.min.js", type: "text/javascript" },
  "react-dom.js": { package: "react-dom", file: "umd/react-dom.production.min.js", type: "text/javascript" },
  "graphiql.js": { package: "graphiql", file: "graphiql.min.js", type: "text/javascript" },
  "graphiql.css": { package: "graphiql", file: "graphiql.min.css", type: "text/css" },
};

export const exampleQuery = `# The newest tokens with their curve, latest trades, top holders.
# Ctrl-Enter runs it; the book on the left shows the documentation.
{
  tokens(
    orderBy: "createdAt"
    orderDirection: "desc"
    limit: 5
  ) {
    items {
      name
      symbol
      holderCount
      curve { progress graduated priceBnbX36 }
      trades(
        orderBy: "timestamp"
        orderDirection: "desc"
        limit: 3
      ) {
        items { side venue bnbAmountWei trader }
      }
      holders(
        where: { kind: account }
        orderBy: "balanceRaw"
        orderDirection: "desc"
        limit: 3
      ) {
        items { account balanceRaw }
      }
    }
  }
}
`;

/** Serves GraphiQL to browsers at `GET /`, and its files below. Queries are passed on to the next handler. */
export function createEditor(): Hono {
  const editor = new Hono();
  const version = packageVersion("graphiql");
  const servePage = createToolPage({ html: page(version), script: start });

  editor.get("/", async (c, next) => {
    // A client that sends a query's hash has it in the extensions.
    const { query, extensions } = c.req.query();
    const isQuery = (query ?? extensions) !== undefined && !c.req.header("accept")?.includes("text/html");
    if (isQuery) return await next();
    c.header("Vary", "Accept", { append: true });
    return servePage(c);
  });

  const files = Object.entries(assets).map(([name, { package: from, file, type }]) => {
    return [name, { path: path.join(packageFolder(from), file), type }] as const;
  });
  editor.get("/assets/:version/:name", serveStaticFiles(version, Object.fromEntries(files)));

  return editor;
}

// A "</script>" in the example would end the script early.
const start = `
ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: "/graphql" }),
    defaultQuery: ${JSON.stringify(exampleQuery).replaceAll("<", "\\u003c")},
  }),
);
`;

function page(version: string): string {
  const asset = (name: string) => `/graphql/assets/${version}/${name}`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Launchpad GraphQL</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${asset("graphiql.css")}" />
    <style>body { margin: 0 } #graphiql { height: 100vh }</style>
  </head>
  <body>
    <div id="graphiql">Loading the GraphQL editor. It needs JavaScript; programs send POST requests here instead.</div>
    <script src="${asset("react.js")}"></script>
    <script src="${asset("react-dom.js")}"></script>
    <script src="${asset("graphiql.js")}"></script>
    <script>${start}</script>
  </body>
</html>
`;
}
