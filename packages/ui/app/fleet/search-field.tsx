import { useEffect, useRef, useState } from 'react';
import { Icon } from '../design/icon.tsx';
import { t } from '../messages/index.ts';

/** At most one search in this time, however fast somebody types. */
const pauseMs = 80;

/** Filters while typing: the first letter at once, those that follow soon after it together. */
export function SearchField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const sentAt = useRef(0);
  if (value !== sent) {
    setSent(value);
    setText(value);
  }
  useEffect(() => {
    if (text === sent) return;
    const timer = setTimeout(
      () => {
        sentAt.current = performance.now();
        setSent(text);
        onChange(text);
      },
      Math.max(0, sentAt.current + pauseMs - performance.now()),
    );
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
