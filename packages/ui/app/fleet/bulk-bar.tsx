import type { BulkRequest } from '@fairlead/client';
import { useState } from 'react';
import { useMay } from '../api/me.ts';
import { t } from '../messages/index.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { FleetSearch } from './search.ts';
import { emptySelection, type Selection, selectionSize } from './selection.ts';

interface BulkBarProps {
  readonly selection: Selection;
  readonly search: FleetSearch;
  readonly total: number;
  readonly onSelect: (selection: Selection) => void;
}

type Action = BulkRequest['action'];

/** What can be done with the selected Applications. */
export function BulkBar({ selection, search, total, onSelect }: BulkBarProps) {
  const [action, setAction] = useState<Action>();
  const may = useMay();
  const size = selectionSize(selection, total);
  if (size === 0) return null;
  const actions: readonly Action[] = [
    ...(may('applications', 'sync') ? (['sync'] as const) : []),
    ...(may('applications', 'get') ? (['refresh'] as const) : []),
    ...(may('applications', 'update') ? (['suspend', 'resume'] as const) : []),
  ];
  return (
    <section className="bulk-bar" aria-label={t.fleet.selected(size)}>
      <strong>{t.fleet.selected(size)}</strong>
      {actions.map((each) => (
        <button
          key={each}
          type="button"
          className={`button${each === 'sync' ? ' primary' : ''}`}
          onClick={() => setAction(each)}
        >
          {t.fleet.bulk[each]}
        </button>
      ))}
      <button type="button" className="button quiet" onClick={() => onSelect(emptySelection)}>
        {t.fleet.selectNone}
      </button>
      {action && (
        <BulkDialog
          action={action}
          selection={selection}
          search={search}
          size={size}
          onClose={() => setAction(undefined)}
          onDone={() => {
            setAction(undefined);
            onSelect(emptySelection);
          }}
        />
      )}
    </section>
  );
}
