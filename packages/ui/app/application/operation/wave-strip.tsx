import { useQuery } from '@tanstack/react-query';
import type { ApplicationDetail, OperationState } from '../../api/read-application.ts';
import { Status, StatusShape } from '../../design/status.tsx';
import { appearanceOf } from '../../design/status-shapes.tsx';
import { t } from '../../messages/index.ts';
import { planQuery } from '../queries.ts';
import { waveProgress } from './wave-progress.ts';

interface WaveStripProps {
  readonly app: ApplicationDetail;
  readonly operation: OperationState;
}

/** The waves of the sync that runs, in order, with what each has done. */
export function WaveStrip({ app, operation }: WaveStripProps) {
  // Once per sync: the order does not change while it runs.
  const plan = useQuery({
    ...planQuery(app, { revision: operation.revision, prune: true, dryRun: false }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!plan.data || plan.data.waves.length === 0) return null;
  return (
    <ol className="wave-strip" aria-label={t.sync.waves}>
      {waveProgress(plan.data, operation).map(({ phase, wave, state, done, tasks }) => (
        <li key={`${phase} ${wave}`} className={`wave-step card edge-${appearanceOf(state).tone}`}>
          <div className="row">
            <Status status={state} text={t.sync.wave(phase, wave)} />
            <span className="spread" />
            <span className="muted small">{t.sync.done(done, tasks.length)}</span>
          </div>
          <ul className="small">
            {tasks.slice(0, 6).map((task) => (
              <li key={task.id} className="row" title={task.message}>
                <span className={`tone-${appearanceOf(task.state).tone}`}>
                  <StatusShape status={task.state} size={11} />
                </span>
                <span className="truncate">
                  {task.kind} <strong>{task.name}</strong>
                </span>
              </li>
            ))}
            {tasks.length > 6 && <li className="muted">{t.fleet.more(tasks.length - 6)}</li>}
          </ul>
        </li>
      ))}
    </ol>
  );
}
