import { useEffect, useState } from 'react';
import { Icon } from '../design/icon.tsx';
import { t } from '../messages/index.ts';

/** Filters while typing. The URL follows after a short pause, so that every letter is painted at once. */
export function SearchField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== sent) {
    setSent(value);
    setText(value);
  }
  useEffect(() => {
    if (text === sent) return;
    const timer = setTimeout(() => {
      setSent(text);
      onChange(text);
    }, 60);
    return () => clearTimeout(timer);
  });
  return (
    <search className="search-field">
      <Icon name="search" size={14} />
      <input
        className="input"
        type="search"
        data-search
        aria-label={t.fleet.search}
        placeholder={t.fleet.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Browsers would remove the text.
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
      <kbd>/</kbd>
    </search>
  );
}
