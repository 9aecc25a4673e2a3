import { useEffect, useState } from "preact/hooks";
import { targetChain } from "../data/chain.ts";
import { displayName } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { ImageField } from "../parts/image-field.tsx";
import { ConfirmLoss } from "../parts/loss.tsx";
import { navigate, route, tokenPath, withChain } from "../routing/router.ts";
import { Title } from "../shell/page-head.tsx";
import { account, walletChain } from "../wallet/connection.ts";
import { StatusLine } from "../wallet/status-line.tsx";
import { WithWallet } from "../wallet/switch-chain.tsx";
import { form, launches, launchOf, validateForm } from "./draft.ts";
import { BurnField, CheckField, TextField } from "./fields.tsx";
import { FirstBuy, firstBuyLoss, quotedFirstBuy } from "./first-buy.tsx";
import { abandonLaunch, findLaunched, resumeLaunch, startLaunch, status } from "./launch.ts";
import { linkUrl } from "./link-url.ts";
import "./create.css";

/** How often to look for a token that the wallet may have created. */
const pollMs = 3_000;

const notSentId = "create-not-sent";

/** Creates a token: one transaction, then its description and links. */
export default function CreatePage() {
  const [image, setImage] = useState<File>();
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const [confirming, setConfirming] = useState<unknown>();
  const target = targetChain();
  const draft = form.value;
  const problems = validateForm(draft);
  const isValid = Object.keys(problems).length === 0;
  const isWorking = status.value.kind === "working";
  const owner = account.value;
  // Of another account, it says that it waits for that one.
  const pending = launchOf(owner) ?? launches.value[0];
  const isOtherChain = owner !== undefined && walletChain.value !== target;

  const firstBuy = quotedFirstBuy(draft, target);
  const isQuoted = firstBuy === undefined || firstBuy.quote !== undefined;
  const loss = firstBuyLoss(firstBuy?.quote);
  const isConfirming = loss !== undefined && confirming === firstBuy?.quote;

  const openOn = (chain: number) => (mint: string | undefined) => {
    // Whoever is on another page by now, perhaps in the middle of a trade, stays there.
    if (mint === undefined || route.peek().page !== "create") return;
    const path = tokenPath(mint);
    navigate(chain === targetChain() ? withChain(path) : `${path}?chain=${chain}`);
  };
  const resume = (how?: { isUnsigned: boolean }) => {
    if (pending !== undefined) void resumeLaunch(pending.creator, how).then(openOn(pending.chainId));
  };
  // Resumes a launch that a closed tab left unfinished, once its wallet is connected.
  const isSent = pending?.hash !== undefined || pending?.mint !== undefined;
  const isOwn = pending !== undefined && owner === pending.creator && !isWorking;
  // On another chain, a wallet can't sign the registration.
  const canResume = isOwn && walletChain.value === pending.chainId;
  // Whoever is told that the registration failed means to try that again, and not to pay for a second token.
  const isUnfinished = isOwn && isSent && pending.isRefused !== true;
  useEffect(() => {
    const isNext = status.peek().kind === "idle" && isSent && pending?.isRefused !== true;
    if (canResume && isNext) resume();
  }, [canResume, isSent, pending?.creator]);
  // If nobody waits for the wallet any more, only the chain shows whether the transaction was sent.
  const isUnanswered = pending?.hadTokens !== undefined && !isSent && !isWorking;
  useEffect(() => {
    if (!isUnanswered) return;
    const look = () => void findLaunched(pending.creator).catch(retryNextTime);
    look();
    const timer = setInterval(look, pollMs);
    return () => clearInterval(timer);
  }, [isUnanswered, pending?.creator]);

  const canSubmit = owner !== undefined && !isOtherChain && !isWorking && isQuoted;
  const start = () => {
    setConfirming(undefined);
    const buy = { chainId: target, firstBuy: firstBuy?.quote };
    if (isValid && canSubmit) void startLaunch(draft, image, buy).then(openOn(target));
  };
  // A wrong amount is never left to the end.
  const shown: typeof problems = wasSubmitted ? problems : { firstBuy: problems.firstBuy };
  return (
    <div class="create">
      <Title>{t.create.title}</Title>
      <h1 class="page-title">{t.create.title}</h1>
      {isUnanswered && (
        <div class="trade-note" role="status">
          <p>{t.create.unanswered(<bdi>{displayName(pending.form.name)}</bdi>)}</p>
          <button
            id={notSentId}
            type="button"
            class="button"
            onClick={() => void abandonLaunch(pending.creator)}
          >
            {t.create.notSent}
          </button>
        </div>
      )}
      {isSent && pending !== undefined && !isWorking && (
        <div class="trade-note" role="status">
          <p>
            {t.create.unfinished(<bdi>{displayName(pending.form.name)}</bdi>)}
            {pending.cannotSign === true && t.create.cannotSign}
            {owner !== pending.creator && t.create.connectToContinue}
          </p>
          {/* Of an unfinished one, the form's button switches the wallet. */}
          {isOwn && (canResume || !isUnfinished) && (
            <WithWallet chain={pending.chainId} status={status}>
              <button type="button" class="button" onClick={() => resume()}>
                {t.create.continue}
              </button>
              {pending.cannotSign === true && (
                <button type="button" class="button" onClick={() => resume({ isUnsigned: true })}>
                  {t.create.continueUnsigned}
                </button>
              )}
            </WithWallet>
          )}
          {pending.isRefused === true && (
            <button type="button" class="button" onClick={() => void abandonLaunch(pending.creator)}>
              {t.common.cancel}
            </button>
          )}
        </div>
      )}
      <form
        class="panel"
        noValidate
        onSubmit={() => {
          if (isUnfinished) {
            if (canResume) resume();
            return;
          }
          // Another launch would pay for a second token if the wallet still confirms the first.
          if (isUnanswered && isOwn) {
            document.getElementById(notSentId)?.focus();
            return;
          }
          setWasSubmitted(true);
          if (!isValid) focusFirst(problems);
          if (!isValid || !canSubmit) return;
          if (loss === undefined) start();
          else setConfirming(firstBuy?.quote);
        }}
      >
        <div class="create-top">
          <ImageField image={image} onChange={setImage} />
          <div>
            <TextField
              name="name"
              label={t.create.name}
              problem={shown.name}
              placeholder={t.create.namePlaceholder}
              required
            />
            <TextField
              name="symbol"
              label={t.create.symbol}
              problem={shown.symbol}
              placeholder={t.create.symbolPlaceholder}
              required
            />
          </div>
        </div>
        <BurnField />
        <TextField
          name="description"
          label={t.registration.description}
          isLong
          hint={t.create.descriptionHint}
        />
        <div class="create-links">
          {links().map(({ name, label, placeholder }) => (
            <TextField
              key={name}
              name={name}
              label={label}
              problem={shown[name]}
              placeholder={placeholder}
              complete={(text) => linkUrl(name, text)}
            />
          ))}
        </div>
        <FirstBuy problem={shown.firstBuy} chain={target} />
        <CheckField name="isVanity" label={t.create.vanity} />
        <CheckField name="isSigned" label={t.create.sign} />
        <div class="create-end">
          <WithWallet chain={isUnfinished ? pending.chainId : target} status={status}>
            {isUnfinished ? (
              <button type="submit" class="button is-primary is-wide">
                {t.create.continue}
              </button>
            ) : isConfirming ? (
              <ConfirmLoss
                loss={loss}
                action="create"
                isReady={canSubmit}
                onConfirm={start}
                onCancel={() => setConfirming(undefined)}
              />
            ) : (
              <button type="submit" class="button is-primary is-wide" disabled={isWorking || !isQuoted}>
                {t.create.submit}
              </button>
            )}
          </WithWallet>
          {wasSubmitted && !isValid && (
            <p class="down small-text" role="alert">
              {t.create.nothingSent}
            </p>
          )}
        </div>
        <StatusLine status={status.value} chain={pending?.chainId ?? target} />
        <p class="small-text muted">{t.create.note}</p>
      </form>
    </div>
  );
}

const links = () =>
  [
    { name: "websiteUrl", label: t.common.website, placeholder: "https://" },
    { name: "twitterUrl", label: "X", placeholder: t.registration.handlePlaceholder },
    { name: "telegramUrl", label: "Telegram", placeholder: t.registration.handlePlaceholder },
  ] as const;

/** Moves to the first field with a problem, which says what is wrong with it. */
function focusFirst(problems: object): void {
  const ids = Object.keys(problems).map((name) => `#create-${name}`);
  document.querySelector<HTMLElement>(ids.join())?.focus();
}

/** The next interval tries again. */
const retryNextTime = () => {};
