import { useState } from 'react';
import { Dialog } from '../design/dialog.tsx';
import { Icon } from '../design/icon.tsx';
import { Menu } from '../design/menu.tsx';
import { parseSearch, stringifySearch } from '../lib/search-params.ts';
import { readSetting, writeSetting } from '../lib/storage.ts';
import { t } from '../messages/index.ts';
import { type FleetSearch, fleetSearch } from './search.ts';

interface SavedViewsProps {
  readonly search: FleetSearch;
  readonly onChange: (search: FleetSearch) => void;
}

interface SavedView {
  readonly name: string;
  readonly query: string;
}

const builtin: readonly { readonly name: string; readonly search: FleetSearch }[] = [
  { name: t.fleet.views.problems, search: { health: ['Degraded', 'Missing', 'Unknown'], sort: 'health' } },
  { name: t.fleet.views.outOfSync, search: { sync: ['OutOfSync'] } },
  { name: t.fleet.views.syncing, search: { operation: ['Running', 'Terminating'] } },
];

/** Filters by a name, in this browser. A view is its URL, so it can also be sent to somebody. */
export function SavedViews({ search, onChange }: SavedViewsProps) {
  const [own, setOwn] = useState(readViews);
  const [isNaming, setIsNaming] = useState(false);
  const store = (views: readonly SavedView[]): void => {
    setOwn(views);
    writeSetting('views', JSON.stringify(views));
  };
  return (
    <>
      <Menu
        label={t.fleet.views.label}
        trigger={
          <button type="button" className="button">
            <Icon name="star" size={14} />
            {t.fleet.views.label}
          </button>
        }
        items={[
          ...builtin.map(({ name, search: saved }) => ({ label: name, onSelect: () => onChange(saved) })),
          ...own.map(({ name, query }) => ({ label: name, onSelect: () => onChange(fleetSearch(parseSearch(query))) })),
          { label: t.fleet.views.save, icon: <Icon name="plus" size={14} />, onSelect: () => setIsNaming(true) },
          ...own.map(({ name }) => ({
            label: t.fleet.views.remove(name),
            icon: <Icon name="trash" size={14} />,
            onSelect: () => store(own.filter((view) => view.name !== name)),
          })),
        ]}
      />
      {isNaming && (
        <NameDialog
          onClose={() => setIsNaming(false)}
          onName={(name) => {
            store([...own.filter((view) => view.name !== name), { name, query: stringifySearch(search) }]);
            setIsNaming(false);
          }}
        />
      )}
    </>
  );
}

function NameDialog({ onClose, onName }: { readonly onClose: () => void; readonly onName: (name: string) => void }) {
  const [name, setName] = useState('');
  return (
    <Dialog title={t.fleet.views.save} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') onName(name.trim());
        }}
      >
        <label className="field">
          <span>{t.fleet.views.name}</span>
          <input
            className="input"
            required
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <button type="submit" className="button primary">
          {t.fleet.views.save}
        </button>
      </form>
    </Dialog>
  );
}

function readViews(): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(readSetting('views') ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    // Written by something else: there are no views.
    return [];
  }
}

const isView = (view: unknown): view is SavedView =>
  typeof view === 'object' &&
  view !== null &&
  'name' in view &&
  'query' in view &&
  typeof view.name === 'string' &&
  typeof view.query === 'string';
