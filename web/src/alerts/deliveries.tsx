import { groupDigits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";
import { Rows } from "../parts/rows.tsx";
import { Age } from "../parts/time.tsx";
import { failureText } from "./failure-text.ts";
import type { Alert } from "./manage.ts";

type DeliveriesProps = { alert: Alert; isDisabled: boolean; onReplay: (from: string) => void };

/** The last attempts to deliver, the newest first, each with a button that sends everything from there on again. */
export function Deliveries({ alert: { deliveries, status }, isDisabled, onReplay }: DeliveriesProps) {
  if (deliveries.length === 0) return <p class="muted small-text">{t.alerts.nothingSent}</p>;
  return (
    <details class="alert-deliveries">
      <summary>{t.alerts.deliveries(groupDigits(deliveries.length))}</summary>
      <Rows
        caption={t.alerts.deliveriesCaption}
        columns={[
          t.alerts.sentAt,
          t.alerts.answer,
          t.alerts.took,
          { name: t.alerts.replay, isNameHidden: true },
        ]}
      >
        {deliveries.map(({ at, first, from, ms, ...result }) => (
          <tr key={`${at} ${first}`}>
            <td class="muted">
              <Age time={at} isSentence />
            </td>
            <td class="delivery-answer">
              {result.error === null ? (
                <span class="up">{result.status}</span>
              ) : (
                <span class="down" title={failureText(result)}>
                  {result.status ?? failureText(result)}
                </span>
              )}
            </td>
            <td class="number">{t.alerts.milliseconds(groupDigits(ms))}</td>
            <td>
              {from !== null && status !== "unverified" && (
                <button
                  type="button"
                  class="icon-button"
                  aria-label={t.alerts.replay}
                  title={t.alerts.replay}
                  disabled={isDisabled}
                  onClick={() => onReplay(from)}
                >
                  <Icon name="again" />
                </button>
              )}
            </td>
          </tr>
        ))}
      </Rows>
    </details>
  );
}
