import { t } from "../language/messages.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { receiverUrl } from "./rules.ts";

type ReceiverFieldProps = {
  /** Of the element, which may be several times on a page. */
  id: string;
  value: string;
  isDisabled: boolean;
  onInput: (value: string) => void;
};

/** The field for where messages go. */
export function ReceiverField({ id, value, isDisabled, onInput }: ReceiverFieldProps) {
  const isWrong = value.trim() !== "" && receiverUrl(value) === undefined;
  return (
    <>
      <label class="field">
        <span>{t.alerts.receiver}</span>
        <input
          type="url"
          inputMode="url"
          autocomplete="off"
          maxLength={2_048}
          placeholder={t.alerts.receiverExample}
          value={value}
          readOnly={isDisabled}
          aria-invalid={isWrong}
          aria-describedby={`${id}-hint`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </label>
      <p class="field-hint" id={`${id}-hint`}>
        {isWrong ? (
          <span class="down">{t.alerts.wrongReceiver}</span>
        ) : (
          t.alerts.receiverHint((text) => (
            <a href="/docs#/Alerts" target="_blank" rel="noopener">
              {text}
            </a>
          ))
        )}
      </p>
    </>
  );
}

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
