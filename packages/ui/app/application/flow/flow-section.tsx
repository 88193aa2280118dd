import { useQuery } from '@tanstack/react-query';
import type { ApplicationDetail } from '../../api/read-application.ts';
import { Icon } from '../../design/icon.tsx';
import { Loading } from '../../design/loading.tsx';
import { Problem } from '../../design/problem.tsx';
import { Status, StatusShape } from '../../design/status.tsx';
import { appearanceOf } from '../../design/status-shapes.tsx';
import { t } from '../../messages/index.ts';
import { flowQuery } from '../queries.ts';
import { FlowColumn } from './flow-column.tsx';
import './flow.css';

/** How far the desired state has come on its way down to the cluster, and the status on its way back up. */
export default function FlowSection({ app }: { readonly app: ApplicationDetail }) {
  const { data, error, refetch } = useQuery(flowQuery(app));
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={8} />;
  const down = data.hops.filter(({ direction, state }) => direction === 'down' && state !== 'absent');
  const up = data.hops.filter(({ direction, state }) => direction === 'up' && state !== 'absent');
  const state = data.broken ? 'broken' : ([...down, ...up].find((hop) => hop.state !== 'ok')?.state ?? 'ok');
  const { tone } = appearanceOf(state);
  return (
    <section className="flow" aria-label={t.flow.label}>
      <header className={`flow-summary card edge-${tone}`}>
        <span className={`tone-${tone}`}>
          <StatusShape status={state} size={22} />
        </span>
        <p>{data.summary}</p>
      </header>
      <div className="flow-columns">
        <FlowColumn title={t.flow.down} direction="down" hops={down} />
        <FlowColumn title={t.flow.up} direction="up" hops={up.toReversed()}>
          <article className="flow-hop flow-end card">
            <div className="flow-icon tone-idle">
              <Icon name="apps" size={18} />
            </div>
            <div className="flow-text">
              <h3>{t.flow.shown}</h3>
              <div className="row flow-end-status">
                <Status pill status={app.health} />
                <Status pill status={app.sync} />
              </div>
            </div>
          </article>
        </FlowColumn>
      </div>
    </section>
  );
}
