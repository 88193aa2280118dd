interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly required?: boolean;
  readonly type?: 'text' | 'password' | 'url';
  readonly placeholder?: string;
  readonly options?: readonly string[];
  readonly autoComplete?: string;
}

/** A field with its label. With options, these are suggested. */
export function TextField({
  label,
  value,
  onChange,
  required,
  type = 'text',
  placeholder,
  options,
  autoComplete,
}: TextFieldProps) {
  const list = options && `options-${label.replace(/\W+/gu, '-')}`;
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className="input"
        type={type}
        required={required}
        placeholder={placeholder}
        autoComplete={autoComplete}
        list={list}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {options && (
        <datalist id={list}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </label>
  );
}
