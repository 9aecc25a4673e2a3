import { t } from "../language/messages.ts";
import { AccountLink } from "../parts/links.tsx";
import { account } from "../wallet/connection.ts";
import { explainedRoles, type Role, rolesOf } from "./account-roles.ts";
import type { Holder, TokenDetails } from "./data.ts";

export type RowAccount = { address: string } & Partial<Pick<Holder, "label" | "labels">>;

/** The roles of an account, as the visitor sees them. */
export const shownRoles = ({ address, label, labels = [] }: RowAccount, token: TokenDetails): Role[] =>
  rolesOf(address, token, label == null ? labels : [label, ...labels], account.value);

/** The class of a row about an account with these roles. */
export function rowClass(shown: readonly Role[]): string {
  const marked = shown.find((role) => role === "you" || role === "creator");
  return marked === undefined ? "" : `is-${marked}`;
}

/** A link to an account, with a badge for each of its roles. */
export function AccountCell({ address, shown }: { address: string; shown: readonly Role[] }) {
  return (
    <span class="account-cell">
      <AccountLink address={address} />
      {shown.map((role) => (
        <span key={role} class={`badge ${tone(role)}`} title={t.token.roles[role].meaning}>
          {t.token.roles[role].text}
        </span>
      ))}
    </span>
  );
}

function tone(role: Role): string {
  if (role === "you" || role === "creator") return "is-accent";
  return explainedRoles.some((explained) => explained === role) ? "is-warning" : "";
}

/** Explains those badges of a table whose names are jargon. */
export function RoleLegend({ accounts }: { accounts: readonly RowAccount[] }) {
  const used = new Set<Role>(accounts.flatMap(({ labels = [] }) => labels));
  const explained = explainedRoles.filter((role) => used.has(role));
  if (explained.length === 0) return null;
  return (
    <dl class="role-legend">
      {explained.map((role) => (
        <div key={role}>
          <dt class="badge is-warning">{t.token.roles[role].text}</dt>
          <dd class="muted">{t.token.roles[role].meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
