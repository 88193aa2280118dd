import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { applicationPath, send } from '../../api/argocd.ts';
import type { ApplicationDetail } from '../../api/read-application.ts';
import { resourceId } from '../../api/read-tree.ts';
import { Check } from '../../design/check.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Loading } from '../../design/loading.tsx';
import { Problem } from '../../design/problem.tsx';
import { showToast } from '../../design/toasts.tsx';
import { t } from '../../messages/index.ts';
import { planQuery } from '../queries.ts';
import { PlanView } from './plan-view.tsx';
import { initialOptions, requestOf, type SyncChoices } from './sync-request.ts';

interface SyncDialogProps {
  readonly app: ApplicationDetail;
  /** Only this object at first. */
  readonly resource?: string | undefined;
  readonly onClose: () => void;
}

/** What a sync would do, and its options. Nothing happens before it is confirmed. */
export default function SyncDialog({ app, resource, onClose }: SyncDialogProps) {
  const [choices, setChoices] = useState<SyncChoices>(() => initialOptions(resource));
  const queries = useQueryClient();
  const set = (change: Partial<SyncChoices>): void => setChoices({ ...choices, ...change });
  const [revision, setRevision] = useState('');
  const plan = useQuery(planQuery(app, { revision: choices.revision, prune: choices.prune }));
  const start = useMutation({
    mutationFn: () => send('POST', applicationPath(app.name, 'sync'), requestOf(app, choices)),
    onSuccess: () => {
      showToast(t.sync.started);
      void queries.invalidateQueries({ queryKey: ['application', app.namespace, app.name] });
      onClose();
    },
  });
  const all = app.resources.map(resourceId);
  const toggle = (id: string): void => {
    const chosen = choices.only ?? all;
    const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
    set({ only: next.length === all.length ? undefined : next });
  };
  return (
    <ConfirmDialog
      wide
      title={t.sync.title(app.name)}
      confirm={choices.dryRun ? t.sync.startDry : t.sync.start}
      action={start}
      disabled={choices.only?.length === 0}
      note={choices.only && t.sync.chosen(choices.only.length)}
      onClose={onClose}
    >
      <form
        className="sync-options"
        onSubmit={(event) => {
          event.preventDefault();
          set({ revision: revision === '' ? undefined : revision });
        }}
      >
        <label className="field">
          <span>{t.sync.revision}</span>
          <input
            className="input mono"
            placeholder={app.targetRevision}
            value={revision}
            onChange={(event) => setRevision(event.target.value)}
            onBlur={() => set({ revision: revision === '' ? undefined : revision })}
          />
        </label>
        <fieldset className="sync-checks" aria-label={t.sync.options}>
          {(['prune', 'dryRun', 'applyOnly', 'force', 'serverSide', 'replace'] as const).map((name) => (
            <Check key={name} checked={choices[name]} onChange={(checked) => set({ [name]: checked })}>
              {t.sync[name]}
            </Check>
          ))}
        </fieldset>
      </form>
      <h3>{t.sync.plan}</h3>
      {plan.isPending && <Loading />}
      {plan.error && <Problem error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.data && <PlanView plan={plan.data} chosen={choices.only} onToggle={toggle} />}
    </ConfirmDialog>
  );
}
