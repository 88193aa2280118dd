import type { ImageUpdate } from '@fairlead/client';
import { Age } from '../../design/age.tsx';
import { Empty } from '../../design/empty.tsx';
import { Status } from '../../design/status.tsx';
import { t } from '../../messages/index.ts';

/** What each ImageUpdater follows, and what it has changed. */
export function UpdaterList({ updaters }: { readonly updaters: readonly ImageUpdate[] }) {
  if (updaters.length === 0) return <Empty icon="image" title={t.images.emptyUpdaters} />;
  return (
    <ul className="updaters">
      {updaters.map(({ namespace, name, ready, reason, images, lastCheckedAt, updates }) => (
        <li key={`${namespace}/${name}`} className="card padded stack">
          <div className="row">
            <h3>{name}</h3>
            <span className="muted small">{namespace}</span>
            <span className="spread" />
            <Status status={ready ? 'Healthy' : 'Degraded'} text={ready ? t.ready : t.notReady} />
          </div>
          {reason !== undefined && <p className="small">{reason}</p>}
          <p className="muted small">
            {t.images.follows(images)} · {t.images.checked} <Age time={lastCheckedAt} />
          </p>
          <ul className="small">
            {updates.map((update) => (
              <li key={`${update.alias}${update.image}${update.application}`}>
                <span className="mono">{update.image}</span> {t.images.to(update.newVersion ?? '')}{' '}
                <span className="muted">
                  {update.application} <Age time={update.updatedAt} />
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
