import type { PrePull } from '@fairlead/client';
import { Age } from '../../design/age.tsx';
import { Empty } from '../../design/empty.tsx';
import { Status, StatusShape } from '../../design/status.tsx';
import { appearanceOf } from '../../design/status-shapes.tsx';
import { ageText } from '../../lib/age.ts';
import { useNow } from '../../lib/clock.ts';
import { t } from '../../messages/index.ts';

/** When each node has pulled each image: one bar per node on the time of the pre-pull. */
export function PrePullTimeline({ items }: { readonly items: readonly PrePull[] }) {
  if (items.length === 0) return <Empty icon="image" title={t.images.emptyPrePulls} />;
  return (
    <ul className="pre-pulls">
      {items.map((item) => (
        <PrePullCard key={`${item.namespace}/${item.name}`} item={item} />
      ))}
    </ul>
  );
}

function PrePullCard({ item }: { readonly item: PrePull }) {
  const now = useNow();
  const times = item.nodes.flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt]).flatMap(millis);
  const start = Math.min(...times, ...millis(item.startedAt));
  const end = Math.max(...times, ...(item.finishedAt ? millis(item.finishedAt) : [now]));
  const span = Math.max(1, end - start);
  return (
    <li className="card padded stack">
      <div className="row pre-pull-head">
        <strong className="mono">{item.image}</strong>
        <Status status={item.phase} />
        <span className="muted small">{t.images.of(item.completed, item.total)}</span>
        <span className="spread" />
        <span className="muted small">
          <Age time={item.startedAt} />
        </span>
      </div>
      <ul className="pull-rows" aria-label={t.images.timeline}>
        {item.nodes.map(({ node, status, startedAt, finishedAt, error }) => {
          const from = millis(startedAt)[0] ?? start;
          const to = millis(finishedAt)[0] ?? end;
          const { tone } = appearanceOf(status);
          return (
            <li key={node} className="pull-row small">
              <span className="truncate">{node}</span>
              <span className="pull-track" aria-hidden="true">
                <span
                  className={`pull-bar bar-${tone}`}
                  style={{
                    left: `${((from - start) / span) * 100}%`,
                    width: `${Math.max(1, ((to - from) / span) * 100)}%`,
                  }}
                />
              </span>
              <span className={`row tone-${tone}`}>
                <StatusShape status={status} size={12} /> {status} {ageText((to - from) / 1_000)}
              </span>
              {error !== undefined && <span className="tone-bad pull-error">{error}</span>}
            </li>
          );
        })}
      </ul>
    </li>
  );
}

const millis = (time: string | undefined): number[] => {
  const at = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(at) ? [] : [at];
};
