import { Age } from '../design/age.tsx';
import { ageText } from '../lib/age.ts';
import { useNow } from '../lib/clock.ts';
import { useConnection } from '../live/connection.ts';
import { t } from '../messages/index.ts';

/** Whether the page follows the server, and how old what it shows is. */
export function ConnectionBadge() {
  const { state, receivedAt } = useConnection();
  return (
    <span className={`connection ${state}`} role="status">
      <span className="connection-dot" aria-hidden="true" />
      {t.connection[state]}
      {receivedAt !== undefined && state !== 'live' && <Age time={new Date(receivedAt).toISOString()} />}
    </span>
  );
}

export function StaleBanner() {
  const { state, receivedAt } = useConnection();
  const now = useNow();
  if (state !== 'lost') return null;
  const text =
    receivedAt === undefined ? t.connection.bannerNever : t.connection.banner(ageText((now - receivedAt) / 1_000));
  return (
    <div className="stale-banner" role="alert">
      {text}
    </div>
  );
}
