import { Icon } from "../parts/icons.tsx";
import { listedWarnings, riskVerdict } from "./risk-notes.ts";

/** The warnings of a token's page in a word, as far as the list knows them. */
export function ListedVerdict({ row }: { row: Parameters<typeof listedWarnings>[0] }) {
  const warnings = listedWarnings(row);
  const { level, text } = riskVerdict(warnings);
  if (level === "none") return null;
  return (
    <span class={`card-verdict is-${level}`} title={warnings.map((note) => note.text).join("\n")}>
      <Icon name="warning" />
      {text}
    </span>
  );
}
