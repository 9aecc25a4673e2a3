import { connection } from "../data/client.ts";

const states = { off: "", connecting: "connecting", live: "live", lost: "reconnecting" } as const;

export function Footer() {
  const state = states[connection.value];
  return (
    <footer class="footer">
      <p>Anyone can create a token, with any name. Most lose all their value. The contracts are unaudited.</p>
      <nav aria-label="For builders">
        <a href="/docs">REST</a>
        <a href="/graphql">GraphQL</a>
        <a href="/docs#/SQL">SQL</a>
        <a href="/skill.md">Agents</a>
        <a href="/api">Manifest</a>
        {state !== "" && (
          <span class={`live is-${connection.value}`}>
            <span aria-hidden="true" />
            {state}
          </span>
        )}
      </nav>
    </footer>
  );
}
