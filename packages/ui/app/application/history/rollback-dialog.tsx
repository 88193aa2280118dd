import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { applicationPath, send } from '../../api/argocd.ts';
import type { ApplicationDetail, HistoryEntry } from '../../api/read-application.ts';
import { Check } from '../../design/check.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Loading } from '../../design/loading.tsx';
import { Problem } from '../../design/problem.tsx';
import { showToast } from '../../design/toasts.tsx';
import { shortRevision } from '../../lib/revision.ts';
import { t } from '../../messages/index.ts';
import { planQuery } from '../queries.ts';
import { PlanView } from '../sync/plan-view.tsx';

interface RollbackDialogProps {
  readonly app: ApplicationDetail;
  readonly entry: HistoryEntry;
  readonly onClose: () => void;
}

/** What a rollback would change, before it is started. */
export function RollbackDialog({ app, entry, onClose }: RollbackDialogProps) {
  const [prune, setPrune] = useState(false);
  const queries = useQueryClient();
  const plan = useQuery(planQuery(app, { revision: entry.revision, prune }));
  const start = useMutation({
    mutationFn: () =>
      send('POST', applicationPath(app.name, 'rollback'), {
        name: app.name,
        appNamespace: app.namespace,
        id: entry.id,
        prune,
      }),
    onSuccess: () => {
      showToast(t.history.started);
      void queries.invalidateQueries({ queryKey: ['application', app.namespace, app.name] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      wide
      title={t.history.rollbackTo(entry.id)}
      confirm={t.history.rollback}
      action={start}
      disabled={app.autoSync === 'enabled'}
      onClose={onClose}
    >
      <p>
        {t.history.rollbackText} <span className="mono">{shortRevision(entry.revision)}</span>
      </p>
      {app.autoSync === 'enabled' && <p className="note">{t.history.autoSync}</p>}
      <Check checked={prune} onChange={setPrune}>
        {t.history.prune}
      </Check>
      <h3>{t.history.impact}</h3>
      {plan.isPending && <Loading />}
      {plan.error && <Problem error={plan.error} />}
      {plan.data && <PlanView plan={plan.data} />}
    </ConfirmDialog>
  );
}
