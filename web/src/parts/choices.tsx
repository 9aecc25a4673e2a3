import { Icon, type IconName } from "./icons.tsx";

export type ChoicesProps<Value extends string> = {
  /** The name of the setting, for screen readers. */
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string; icon?: IconName }[];
  onChange: (value: Value) => void;
  isDisabled?: boolean;
};

/** A choice of a few values, side by side. They are radio buttons, so arrow keys move between them. */
export function Choices<Value extends string>({
  label,
  value,
  choices,
  onChange,
  isDisabled = false,
}: ChoicesProps<Value>) {
  return (
    <fieldset class="choices" disabled={isDisabled}>
      <legend class="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} class="choice" title={choice.icon && choice.label}>
          <input
            type="radio"
            name={label}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.icon === undefined ? (
            <span>{choice.label}</span>
          ) : (
            <span>
              <Icon name={choice.icon} />
              <span class="visually-hidden">{choice.label}</span>
            </span>
          )}
        </label>
      ))}
    </fieldset>
  );
}
