import { numberAt, objectsAt, textAt } from '@fairlead/apimachinery/json-at';
import { Age } from '../design/age.tsx';
import { Empty } from '../design/empty.tsx';
import { Status } from '../design/status.tsx';
import { t } from '../messages/index.ts';

/** Events of Kubernetes, the newest first. */
export function EventList({ answer }: { readonly answer: unknown }) {
  const events = objectsAt(answer, 'items')
    .map((event) => ({
      id: textAt(event, 'metadata', 'uid') || textAt(event, 'metadata', 'name'),
      type: textAt(event, 'type'),
      reason: textAt(event, 'reason'),
      message: textAt(event, 'message'),
      count: numberAt(event, 'count'),
      time:
        textAt(event, 'lastTimestamp') || textAt(event, 'eventTime') || textAt(event, 'metadata', 'creationTimestamp'),
    }))
    .sort((a, b) => b.time.localeCompare(a.time));
  if (events.length === 0) return <Empty icon="status" title={t.resource.noEvents} />;
  return (
    <ol className="events card">
      {events.map(({ id, type, reason, message, count, time }) => (
        <li key={id}>
          <Status iconOnly status={type === 'Warning' ? 'Degraded' : 'Succeeded'} text={type} />
          <strong>{reason}</strong>
          <span className="event-message">{message}</span>
          <span className="muted small">{count > 1 ? `× ${count}` : ''}</span>
          <span className="muted small">
            <Age time={time} />
          </span>
        </li>
      ))}
    </ol>
  );
}
