import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { groupDigits } from "../format/number.ts";
import { formatTime } from "../format/time.ts";
import { t } from "../language/messages.ts";
import { useSettled } from "../parts/hooks.ts";
import { IconButton } from "../parts/icons.tsx";
import { Rows } from "../parts/rows.tsx";
import { Age } from "../parts/time.tsx";
import type { Status } from "../wallet/run-steps.ts";
import { StatusLine } from "../wallet/status-line.tsx";
import { withStatus } from "../wallet/with-status.ts";
import { ReceiverField, Secret } from "./receiver-field.tsx";
import { type Names, RuleFact, RuleFacts, ruleTitle } from "./rule-words.tsx";
import { receiverUrl } from "./rules.ts";
import { type Alert, type Change, failureText, type Manager } from "./subscriptions.ts";

type AlertEntryProps = {
  alert: Alert;
  names: Names;
  manager: Manager;
  reload: () => Promise<void>;
};

const badges = { active: "is-up", paused: "", unverified: "is-warning" } as const;

/** One subscription: what it waits for, how it does, and what its owner can do with it. */
export function AlertEntry({ alert, names, manager, reload }: AlertEntryProps) {
  const { id, status: state } = alert;
  const [isMoving, setIsMoving] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const status = useSignal<Status>({ kind: "idle" });
  const isWorking = status.value.kind === "working";
  const run = async (work: () => Promise<Status>) => {
    await withStatus(status, t.alerts.asking, work);
    await reload();
  };
  const change = (body: Change, text: string) =>
    run(async () => {
      const { secret: next } = await manager.change(id, body);
      if (next !== null) setSecret(next);
      return { kind: "done", text };
    });
  const verify = () =>
    run(async () => {
      const { verification } = await manager.verify(id);
      return verification.verified
        ? { kind: "done", text: t.alerts.isVerified }
        : { kind: "failed", text: t.alerts.isUnverified(failureText(verification)) };
    });
  const test = () =>
    run(async () => {
      const { attempt } = await manager.test(id);
      return attempt.error === null
        ? { kind: "done", text: t.alerts.tested(String(attempt.status)) }
        : { kind: "failed", text: t.alerts.testFailed(failureText(attempt)) };
    });
  const end = () =>
    run(async () => {
      await manager.end(id);
      return { kind: "idle" };
    });
  return (
    <li class="panel alert">
      <div class="alert-head">
        <h2>{ruleTitle(alert.rule)}</h2>
        <span class={`badge ${badges[state]}`}>{t.alerts.states[state]}</span>
      </div>
      <dl class="alert-facts">
        <RuleFacts rule={alert.rule} names={names} />
        <RuleFact
          name={t.alerts.receiver}
          values={[<code key="url">{alert.url ?? t.alerts.otherKey}</code>]}
        />
        <RuleFact name={t.alerts.since} values={[<Age key="age" time={alert.createdAt} isSentence />]} />
      </dl>
      <Condition alert={alert} />
      <div class="alert-actions">
        {state === "unverified" ? (
          <Action text={t.alerts.verify} isDisabled={isWorking} onClick={verify} />
        ) : (
          <>
            <Action text={t.alerts.test} isDisabled={isWorking} onClick={test} />
            <Action
              text={state === "active" ? t.alerts.pause : t.alerts.resume}
              isDisabled={isWorking}
              onClick={() =>
                state === "active"
                  ? change({ status: "paused" }, t.alerts.paused)
                  : change({ status: "active" }, t.alerts.resumed)
              }
            />
          </>
        )}
        <Action
          text={t.alerts.rotate}
          isDisabled={isWorking}
          onClick={() => change({ rotateSecret: true }, t.alerts.rotated)}
        />
        <button
          type="button"
          class="button"
          disabled={isWorking}
          aria-expanded={isMoving}
          onClick={() => setIsMoving(!isMoving)}
        >
          {t.alerts.move}
        </button>
        <EndButton isDisabled={isWorking} onEnd={() => void end()} />
      </div>
      {isMoving && (
        <MoveForm
          id={id}
          isDisabled={isWorking}
          onMove={(url) => {
            setIsMoving(false);
            void change({ url }, t.alerts.moved);
          }}
        />
      )}
      <StatusLine status={status.value} chain={alert.chainId} />
      {secret !== null && <Secret secret={secret} />}
      <Deliveries
        alert={alert}
        isDisabled={isWorking}
        onReplay={(from) => void change({ from }, t.alerts.replaying)}
      />
    </li>
  );
}

type ActionProps = { text: string; isDisabled: boolean; onClick: () => Promise<void> };

function Action({ text, isDisabled, onClick }: ActionProps) {
  return (
    <button type="button" class="button" disabled={isDisabled} onClick={() => void onClick()}>
      {text}
    </button>
  );
}

/** Why nothing arrives at the moment, if so. */
function Condition({
  alert: { pausedBecause, status, failures, failingSince, nextAttemptAt },
}: {
  alert: Alert;
}) {
  if (pausedBecause !== null) return <p class="alert-warning">{t.alerts.pausedBecause[pausedBecause]}</p>;
  if (status === "unverified") return <p class="alert-warning">{t.alerts.unverified}</p>;
  if (failingSince === null) return null;
  return (
    <p class="alert-warning">
      {t.alerts.failing(
        String(failures),
        <Age time={failingSince} isSentence />,
        nextAttemptAt === null ? undefined : formatTime(Date.parse(nextAttemptAt)),
      )}
    </p>
  );
}

/** Gives a subscription another receiver, which has to be verified like the first one. */
function MoveForm({
  id,
  isDisabled,
  onMove,
}: {
  id: string;
  isDisabled: boolean;
  onMove: (url: string) => void;
}) {
  const [typed, setTyped] = useState("");
  const url = receiverUrl(typed);
  return (
    <form
      class="alert-move"
      onSubmit={() => {
        if (url !== undefined && !isDisabled) onMove(url);
      }}
    >
      <ReceiverField id={`move-${id}`} value={typed} isDisabled={isDisabled} onInput={setTyped} />
      <button type="submit" class="button is-primary" disabled={isDisabled || url === undefined}>
        {t.alerts.moveTo}
      </button>
    </form>
  );
}

/** Ends a subscription with a second click, since that can't be undone. */
function EndButton({ isDisabled, onEnd }: { isDisabled: boolean; onEnd: () => void }) {
  const [isConfirming, setIsConfirming] = useState(false);
  if (!isConfirming) {
    return (
      <button type="button" class="button" disabled={isDisabled} onClick={() => setIsConfirming(true)}>
        {t.alerts.end}
      </button>
    );
  }
  return <ConfirmEnd isDisabled={isDisabled} onEnd={onEnd} onCancel={() => setIsConfirming(false)} />;
}

type ConfirmEndProps = { isDisabled: boolean; onEnd: () => void; onCancel: () => void };

function ConfirmEnd({ isDisabled, onEnd, onCancel }: ConfirmEndProps) {
  const hasSettled = useSettled();
  return (
    <>
      <button type="button" class="button is-danger" disabled={isDisabled || !hasSettled} onClick={onEnd}>
        {t.alerts.endForGood}
      </button>
      <IconButton icon="close" label={t.common.cancel} title={t.common.cancel} onClick={onCancel} />
    </>
  );
}

type DeliveriesProps = { alert: Alert; isDisabled: boolean; onReplay: (from: string) => void };

/** The last attempts to deliver, the newest first, each with a button that sends everything from there on again. */
function Deliveries({ alert: { deliveries, status }, isDisabled, onReplay }: DeliveriesProps) {
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
                <IconButton
                  icon="again"
                  label={t.alerts.replay}
                  title={t.alerts.replay}
                  disabled={isDisabled}
                  onClick={() => onReplay(from)}
                />
              )}
            </td>
          </tr>
        ))}
      </Rows>
    </details>
  );
}
