import type { FlowHop } from '@fairlead/client';
import { Age } from '../../design/age.tsx';
import { Icon, type IconName } from '../../design/icon.tsx';
import { Status } from '../../design/status.tsx';
import { appearanceOf } from '../../design/status-shapes.tsx';
import { ageText } from '../../lib/age.ts';
import { shortRevision } from '../../lib/revision.ts';
import { t } from '../../messages/index.ts';

const icons: Readonly<Record<FlowHop['id'], IconName>> = {
  commit: 'commit',
  render: 'render',
  tenant: 'tenant',
  operation: 'operation',
  principal: 'principal',
  agent: 'agent',
  cluster: 'cluster',
  status: 'status',
};

/** One step: what has passed it, since when, what waits in front of it, and why it does not pass. */
export function FlowHopCard({ hop }: { readonly hop: FlowHop }) {
  const { id, title, state, revision, since, queue, reason, action } = hop;
  const { tone } = appearanceOf(state);
  return (
    <article className={`flow-hop card state-${state}`}>
      <div className={`flow-icon tone-${tone}`}>
        <Icon name={icons[id]} size={18} />
      </div>
      <div className="flow-text">
        <div className="row">
          <h3>{title}</h3>
          <span className="spread" />
          <Status status={state} text={t.flow.state[state]} />
        </div>
        <div className="flow-facts small">
          {revision !== undefined && revision !== '' && (
            <span className="pill mono" title={revision}>
              {shortRevision(revision)}
            </span>
          )}
          {since !== undefined && (
            <span className="muted">
              <Age time={since} />
            </span>
          )}
          {queue && queue.depth > 0 && (
            <span className="pill">
              {t.flow.queue(queue.depth)}
              {queue.oldestSeconds !== undefined && `, ${t.flow.oldest(ageText(queue.oldestSeconds))}`}
            </span>
          )}
        </div>
        {reason !== undefined && <p className="flow-reason">{reason}</p>}
        {action !== undefined && <p className="flow-action small">{action}</p>}
      </div>
    </article>
  );
}
