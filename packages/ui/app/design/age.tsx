import { ageText, secondsSince, timeText } from '../lib/age.ts';
import { useNow } from '../lib/clock.ts';
import { t } from '../messages/index.ts';

/** How long ago something was; the exact time is its title. */
export function Age({ time, bare = false }: { readonly time: string | undefined; readonly bare?: boolean }) {
  const seconds = secondsSince(time, useNow());
  if (time === undefined || seconds === undefined) return <span className="muted">{t.never}</span>;
  const text = ageText(seconds);
  return (
    <time dateTime={time} title={timeText(time)}>
      {bare ? text : t.age(text)}
    </time>
  );
}
