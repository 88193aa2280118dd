import { useMutation } from '@tanstack/react-query';
import { applicationPath, send } from '../../api/argocd.ts';
import { problemText } from '../../api/client.ts';
import type { ApplicationDetail, OperationState } from '../../api/read-application.ts';
import { Age } from '../../design/age.tsx';
import { Status, StatusShape } from '../../design/status.tsx';
import { showToast } from '../../design/toasts.tsx';
import { t } from '../../messages/index.ts';
import type { Rights } from '../queries.ts';
import { WaveStrip } from './wave-strip.tsx';

/** The sync that runs, with its waves, or why the last one failed. */
export function OperationBar({ app, rights }: { readonly app: ApplicationDetail; readonly rights: Rights }) {
  const { operation } = app;
  const terminate = useMutation({
    mutationFn: () =>
      send('DELETE', applicationPath(app.name, 'operation'), undefined, { appNamespace: app.namespace }),
    onSuccess: () => showToast(t.sync.terminated),
    onError: (error) => showToast(problemText(error), 'bad'),
  });
  if (!operation || operation.phase === 'Succeeded' || operation.phase === '') return null;
  const isRunning = operation.phase === 'Running' || operation.phase === 'Terminating';
  return (
    <section className="operation card padded stack" aria-label={t.app.lastSync}>
      <div className="row">
        <Status pill status={operation.phase} text={isRunning ? t.sync.running : undefined} />
        <span className="small muted">
          <Age time={operation.startedAt} /> {operation.initiatedBy && t.app.by(operation.initiatedBy)}
        </span>
        <span className="spread" />
        {isRunning && rights.sync && (
          <button type="button" className="button" disabled={terminate.isPending} onClick={() => terminate.mutate()}>
            {t.sync.terminate}
          </button>
        )}
      </div>
      {operation.message !== '' && <p className="small">{operation.message}</p>}
      {isRunning ? <WaveStrip app={app} operation={operation} /> : <Results operation={operation} />}
    </section>
  );
}

function Results({ operation }: { readonly operation: OperationState }) {
  if (operation.results.length === 0) return null;
  const statusOf = ({ status, hookPhase }: OperationState['results'][number]): string =>
    status === 'SyncFailed' ? 'Failed' : hookPhase || (status === 'Synced' ? 'Succeeded' : status);
  return (
    <ul className="results" aria-label={t.sync.result}>
      {operation.results.map((result) => (
        <li key={`${result.phase}:${result.group}:${result.kind}:${result.namespace}/${result.name}`}>
          <span className={statusOf(result) === 'Failed' ? 'tone-bad' : 'tone-ok'}>
            <StatusShape status={statusOf(result)} size={12} />
          </span>
          <span className="muted">{result.phase}</span>
          <span>
            {result.kind} <strong>{result.name}</strong>
          </span>
          <span className="muted truncate" title={result.message}>
            {result.message}
          </span>
        </li>
      ))}
    </ul>
  );
}
