import { t } from "../language/messages.ts";
import { type Form, form } from "./draft.ts";

type Named<Type> = { [Name in keyof Form]: Form[Name] extends Type ? Name : never }[keyof Form];

const change = (changes: Partial<Form>) => {
  form.value = { ...form.peek(), ...changes };
};

export type TextFieldProps = {
  name: Named<string>;
  label: string;
  problem?: string | undefined;
  hint?: string;
  placeholder?: string;
  required?: boolean;
  isLong?: boolean;
  inputMode?: "decimal";
  /** Turns what was typed into what it means, once the visitor leaves the field. */
  complete?: (text: string) => string;
};

export function TextField({
  name,
  label,
  problem,
  hint,
  placeholder,
  required,
  isLong = false,
  inputMode,
  complete,
}: TextFieldProps) {
  const shared = {
    id: `create-${name}`,
    value: form.value[name],
    placeholder,
    "aria-required": required === true,
    "aria-invalid": problem !== undefined,
    "aria-describedby": `create-${name}-hint`,
    autocomplete: "off",
  } as const;
  return (
    <div class="field">
      <label for={`create-${name}`}>{label}</label>
      {isLong ? (
        <textarea
          {...shared}
          rows={3}
          maxLength={1_000}
          onInput={(event) => change({ [name]: event.currentTarget.value })}
        />
      ) : (
        <input
          {...shared}
          type="text"
          inputMode={inputMode}
          // What is pasted is cut there without a word. The service takes links of 2,048 characters, https:// included.
          maxLength={2_000}
          onChange={(event) => complete && change({ [name]: complete(event.currentTarget.value) })}
          onInput={(event) => change({ [name]: event.currentTarget.value })}
        />
      )}
      <span id={`create-${name}-hint`} class={problem === undefined ? "field-hint" : "field-hint down"}>
        {problem ?? hint}
      </span>
    </div>
  );
}

export function CheckField({ name, label }: { name: Named<boolean>; label: string }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={form.value[name]}
        onChange={(event) => change({ [name]: event.currentTarget.checked })}
      />
      {label}
    </label>
  );
}

/** The share of the supply that is burned at the start. */
export function BurnField() {
  const { burnPercent } = form.value;
  return (
    <label class="field">
      <span>{t.create.burned(<strong class="number">{burnPercent}%</strong>)}</span>
      <input
        type="range"
        min={30}
        max={70}
        value={burnPercent}
        aria-valuetext={t.create.percent(burnPercent)}
        onInput={(event) => change({ burnPercent: Number(event.currentTarget.value) })}
      />
      <span class="field-hint">{t.create.remaining((1_000 * (100 - burnPercent)) / 100)}</span>
    </label>
  );
}
