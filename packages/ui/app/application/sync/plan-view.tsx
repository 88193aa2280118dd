import type { PlannedTask, SyncPlan } from '@fairlead/client';
import { useState } from 'react';
import { resourceId } from '../../api/read-tree.ts';
import { StatusShape } from '../../design/status.tsx';
import { t } from '../../messages/index.ts';

interface PlanViewProps {
  readonly plan: SyncPlan;
  /** Ids of the objects that are synced; undefined for all. */
  readonly chosen?: readonly string[] | undefined;
  readonly onToggle?: (id: string) => void;
}

/** What a sync does, wave by wave. */
export function PlanView({ plan, chosen, onToggle }: PlanViewProps) {
  const [showsUnchanged, setShowsUnchanged] = useState(false);
  const tasks = plan.waves.flatMap((wave) => wave.tasks);
  const unchanged = tasks.filter(({ action }) => action === 'unchanged').length;
  return (
    <div className="stack">
      {plan.warnings.map((warning) => (
        <p key={warning} className="note">
          {warning}
        </p>
      ))}
      {tasks.length === unchanged && <p className="muted">{t.sync.nothing}</p>}
      <ol className="waves">
        {plan.waves.map(({ phase, wave, tasks: all }) => {
          const shown = showsUnchanged ? all : all.filter(({ action }) => action !== 'unchanged');
          if (shown.length === 0) return null;
          return (
            <li key={`${phase}-${wave}`} className="wave">
              <h4>{t.sync.wave(phase, wave)}</h4>
              <ul>
                {shown.map((task) => (
                  <Task key={`${task.hook ?? ''}${resourceId(task)}`} task={task} chosen={chosen} onToggle={onToggle} />
                ))}
              </ul>
            </li>
          );
        })}
      </ol>
      {unchanged > 0 && !showsUnchanged && (
        <button type="button" className="button quiet" onClick={() => setShowsUnchanged(true)}>
          {t.sync.showUnchanged(unchanged)}
        </button>
      )}
    </div>
  );
}

interface TaskProps extends Pick<PlanViewProps, 'chosen' | 'onToggle'> {
  readonly task: PlannedTask;
}

function Task({ task, chosen, onToggle }: TaskProps) {
  const id = resourceId(task);
  const isHook = task.action === 'hook';
  const text = `${task.kind} ${task.name}`;
  return (
    <li className={`task action-${task.action}`}>
      {onToggle && !isHook ? (
        <input
          type="checkbox"
          aria-label={t.sync.task(task.action, text)}
          checked={chosen?.includes(id) ?? true}
          onChange={() => onToggle(id)}
        />
      ) : (
        <span />
      )}
      <span className="task-action">{isHook ? `${t.sync.hook} ${task.hook ?? ''}` : task.action}</span>
      <span className="truncate">
        {task.kind} <strong>{task.name}</strong>
        {task.namespace !== '' && <span className="muted"> · {task.namespace}</span>}
      </span>
      {task.dryRun && !task.dryRun.ok && (
        <span className="task-problem tone-bad">
          <StatusShape status="Failed" size={12} />
          <span>{task.dryRun.message ?? t.sync.refused}</span>
        </span>
      )}
    </li>
  );
}
