import { plainText } from "../format/plain-text.ts";
import { t } from "../language/messages.ts";
import { Fact } from "../parts/fact.tsx";
import { Pending } from "../parts/problem.tsx";
import { Age } from "../parts/time.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { type RegistrationVersion, type TokenDetails, useRegistrations } from "../token/data.ts";

/** What the creator changed about the token's description, links and image, and when. */
export default function Changes({ token }: { token: TokenDetails }) {
  const registrations = useRegistrations(token);
  const versions = registrations.data.value?.versions;
  if (versions === undefined) return <Pending of={registrations} />;
  const changes = versions.filter(({ changed }) => changed.length > 0);
  return changes.length === 0 ? (
    <p class="muted">{t.token.neverChanged}</p>
  ) : (
    <ol>
      {changes.map((version) => (
        <li key={versions.indexOf(version)}>
          <Change token={token} version={version} before={versions[versions.indexOf(version) + 1]} />
        </li>
      ))}
    </ol>
  );
}

type ChangeProps = {
  token: TokenDetails;
  version: RegistrationVersion;
  before: RegistrationVersion | undefined;
};

function Change({ token, version, before }: ChangeProps) {
  return (
    <>
      <p class="muted">{version.since !== null && <Age time={version.since} isSentence />}</p>
      <dl>
        {version.changed.map((field) => (
          <Fact key={field} name={labels()[field]}>
            <del>
              <Value token={token} field={field} text={before?.[field]} />
            </del>{" "}
            → <Value token={token} field={field} text={version[field]} />
          </Fact>
        ))}
      </dl>
    </>
  );
}

type ValueProps = {
  token: TokenDetails;
  field: RegistrationVersion["changed"][number];
  text: string | null | undefined;
};

function Value({ token: { mint, symbol }, field, text }: ValueProps) {
  return (
    <>
      {field === "imageUrl" && text && (
        <>
          <TokenImage token={{ mint, symbol, imageUrl: text }} size={40} />{" "}
        </>
      )}
      <bdi>{shown(text)}</bdi>
    </>
  );
}

const labels = () => ({ ...t.token.changedFields, twitterUrl: "X", telegramUrl: "Telegram" });

const shown = (text: string | null | undefined) => plainText(text ?? "", 300) || t.token.nothing;
