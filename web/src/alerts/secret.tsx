import { t } from "../language/messages.ts";
import { CopyButton } from "../parts/copy-button.tsx";

/** The secret with which a subscription's messages are signed. The API shows it once. */
export function Secret({ secret }: { secret: string }) {
  return (
    <section class="alert-secret" aria-label={t.alerts.secret}>
      <p>
        <code>{secret}</code>
        <CopyButton text={secret} label={t.alerts.copySecret} />
      </p>
      <p class="field-hint">{t.alerts.secretNote}</p>
    </section>
  );
}
