import type { BulkPlan, BulkRequest } from '@fairlead/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { Check } from '../design/check.tsx';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { Loading } from '../design/loading.tsx';
import { Problem } from '../design/problem.tsx';
import { StatusShape } from '../design/status.tsx';
import { showToast } from '../design/toasts.tsx';
import { t } from '../messages/index.ts';
import { type FleetSearch, filterText } from './search.ts';
import type { Selection } from './selection.ts';

interface BulkDialogProps {
  readonly action: BulkRequest['action'];
  readonly selection: Selection;
  readonly search: FleetSearch;
  readonly size: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows what would happen, and does it when that is confirmed. */
export function BulkDialog({ action, selection, search, size, onClose, onDone }: BulkDialogProps) {
  const [prune, setPrune] = useState(false);
  const [hard, setHard] = useState(false);
  const body: BulkRequest = {
    action,
    ...(selection.kind === 'all'
      ? { filter: filterText(search) }
      : { applications: [...selection.applications.values()] }),
    ...(action === 'sync' ? { prune } : {}),
    ...(action === 'refresh' ? { hard } : {}),
  };
  const plan = useQuery({
    queryKey: ['bulk-plan', body],
    queryFn: ({ signal }) => client.call('planBulk', { body }, { signal }),
    staleTime: 0,
  });
  const run = useMutation({
    mutationFn: () => client.call('runBulk', { body }),
    onSuccess: ({ results }) => {
      const failed = results.filter(({ ok }) => !ok);
      if (failed.length > 0) showToast(`${t.fleet.bulk.failed(failed.length)}: ${failed[0]?.message ?? ''}`, 'bad');
      if (results.length > failed.length) showToast(t.fleet.bulk.done(results.length - failed.length));
      onDone();
    },
  });
  const allowed = plan.data?.items.filter((item) => item.allowed).length ?? 0;
  return (
    <ConfirmDialog
      title={t.fleet.bulk.title(t.fleet.bulk[action], size)}
      confirm={t.fleet.bulk.run(t.fleet.bulk[action], allowed)}
      action={run}
      disabled={!plan.data || allowed === 0}
      onClose={onClose}
    >
      {action === 'sync' && (
        <Check checked={prune} onChange={setPrune}>
          {t.fleet.bulk.prune}
        </Check>
      )}
      {action === 'refresh' && (
        <Check checked={hard} onChange={setHard}>
          {t.fleet.bulk.hard}
        </Check>
      )}
      {plan.error && <Problem error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.isPending && <Loading />}
      {plan.data && <PlanList plan={plan.data} />}
    </ConfirmDialog>
  );
}

const shown = 200;

function PlanList({ plan }: { readonly plan: BulkPlan }) {
  const allowed = plan.items.filter((item) => item.allowed).length;
  return (
    <section className="stack" aria-label={t.fleet.bulk.plan}>
      <div className="row">
        <h3>{t.fleet.bulk.plan}</h3>
        <span className="muted small">
          {t.fleet.bulk.allowed(allowed)}
          {plan.items.length > allowed ? `, ${t.fleet.bulk.refused(plan.items.length - allowed)}` : ''}
        </span>
      </div>
      <ul className="bulk-plan card" tabIndex={0}>
        {plan.items.slice(0, shown).map(({ namespace, name, allowed: isAllowed, effect, reason }) => (
          <li key={`${namespace}/${name}`}>
            <span className={isAllowed ? 'tone-ok' : 'tone-idle'}>
              <StatusShape status={isAllowed ? 'Succeeded' : 'None'} />
            </span>
            <strong className="truncate">{name}</strong>
            <span className="small muted">{isAllowed ? effect : (reason ?? effect)}</span>
          </li>
        ))}
        {plan.items.length > shown && <li className="muted small">{t.fleet.more(plan.items.length - shown)}</li>}
      </ul>
    </section>
  );
}
