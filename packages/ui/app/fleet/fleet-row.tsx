import type { ApplicationSummary } from '@fairlead/client';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { Age } from '../design/age.tsx';
import { Status } from '../design/status.tsx';
import { shortRevision } from '../lib/revision.ts';
import { t } from '../messages/index.ts';

interface FleetRowProps {
  readonly item: ApplicationSummary;
  readonly place: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onToggle: (item: ApplicationSummary) => void;
}

export const FleetRow = memo(
  function FleetRow({ item, place, top, isActive, isSelected, onToggle }: FleetRowProps) {
    const { namespace, name, project, cluster, destinationNamespace, sync, health, reason, operation, revision } = item;
    return (
      <div
        className={`fleet-row${isActive ? ' active' : ''}${isSelected ? ' selected' : ''}`}
        role="row"
        aria-rowindex={place + 2}
        style={{ transform: `translateY(${top}px)` }}
      >
        <span className="cell check-cell" role="cell">
          <input
            type="checkbox"
            aria-label={t.fleet.select(name)}
            checked={isSelected}
            onChange={() => onToggle(item)}
          />
        </span>
        <span className="cell name" role="cell">
          <Link
            to="/applications/$namespace/$name"
            params={{ namespace, name }}
            search={{}}
            className="app-link truncate"
          >
            {name}
          </Link>
          <span className="muted small truncate" title={reason}>
            {reason ?? `${namespace} → ${destinationNamespace}`}
          </span>
        </span>
        <span className="cell health" role="cell">
          <Status status={health} />
        </span>
        <span className="cell sync" role="cell">
          <Status status={sync} />
        </span>
        <span className="cell project truncate" role="cell" title={project}>
          {project}
        </span>
        <span className="cell cluster truncate" role="cell" title={cluster}>
          {cluster}
        </span>
        <span className="cell revision mono truncate" role="cell" title={revision}>
          {revision === '' ? '–' : shortRevision(revision)}
        </span>
        <span className="cell operation" role="cell">
          {operation ? <Status status={operation.phase} /> : <span className="muted">–</span>}
        </span>
        <span className="cell reconciledAt muted" role="cell">
          <Age time={item.reconciledAt} />
        </span>
      </div>
    );
  },
  (a, b) =>
    a.item === b.item &&
    a.top === b.top &&
    a.isActive === b.isActive &&
    a.isSelected === b.isSelected &&
    a.place === b.place &&
    a.onToggle === b.onToggle,
);
