import type { ApplicationSummary } from '@fairlead/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Dialog } from 'radix-ui';
import { useDeferredValue, useId, useState } from 'react';
import { client } from '../api/client.ts';
import { useMay } from '../api/me.ts';
import { Icon } from '../design/icon.tsx';
import { StatusShape } from '../design/status.tsx';
import { setTheme, themes } from '../design/theme.ts';
import { t } from '../messages/index.ts';
import { navigation } from './navigation.ts';
import type { PaletteEntry } from './palette-entry.ts';

interface PaletteProps {
  readonly onClose: () => void;
  readonly onHelp: () => void;
}

/** Ctrl/⌘ K: pages, Applications and commands by a few letters. */
export default function Palette({ onClose, onHelp }: PaletteProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const entries = useEntries(useDeferredValue(text), onHelp);
  const active = Math.min(chosen, entries.length - 1);
  const run = (entry: PaletteEntry | undefined): void => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const move = (step: number): void => setChosen((active + step + entries.length) % Math.max(1, entries.length));
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-overlay" />
        <Dialog.Content className="dialog palette" aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">{t.palette.open}</Dialog.Title>
          <input
            className="palette-input"
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={entries[active] ? `${id}-${active}` : undefined}
            aria-label={t.palette.placeholder}
            placeholder={t.palette.placeholder}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(0);
            }}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown') move(1);
              else if (event.key === 'ArrowUp') move(-1);
              else if (event.key === 'Enter') run(entries[active]);
              else return;
              event.preventDefault();
            }}
          />
          <div className="palette-list" id={id} role="listbox" aria-label={t.palette.open}>
            {entries.length === 0 && <p className="empty">{t.palette.empty}</p>}
            {entries.map((entry, place) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
              <div
                key={entry.id}
                id={`${id}-${place}`}
                role="option"
                tabIndex={-1}
                aria-selected={place === active}
                className="palette-entry"
                onClick={() => run(entry)}
                onMouseMove={() => setChosen(place)}
              >
                {entry.status ? (
                  <StatusShape status={entry.status} size={16} />
                ) : (
                  <Icon name={entry.icon ?? 'chevron'} />
                )}
                <span className="truncate">{entry.label}</span>
                <span className="spread" />
                <span className="muted small truncate">{entry.hint}</span>
              </div>
            ))}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useEntries(text: string, onHelp: () => void): readonly PaletteEntry[] {
  const navigate = useNavigate();
  const may = useMay();
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const { data } = useQuery({
    queryKey: ['palette', text],
    queryFn: ({ signal }) => client.call('listApplications', { query: { q: text, limit: 50 } }, { signal }),
    enabled: words.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  const pages: PaletteEntry[] = navigation
    .flatMap(({ items }) => items)
    .filter(({ needs }) => !needs || may(...needs))
    .map(({ to, label, icon }) => ({ id: to, label, icon, hint: t.palette.pages, run: () => void navigate({ to }) }));
  const commands: PaletteEntry[] = [
    ...(may('applications', 'create')
      ? [
          {
            id: 'create',
            label: t.fleet.create,
            icon: 'plus' as const,
            run: () => void navigate({ to: '/new-application' }),
          },
        ]
      : []),
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      label: `${t.theme.label}: ${t.theme[theme]}`,
      icon: 'theme' as const,
      run: () => setTheme(theme),
    })),
    { id: 'help', label: t.help.title, icon: 'list', run: onHelp },
  ];
  const found = words.length > 0 ? (data?.items ?? []) : [];
  const applications: PaletteEntry[] = byName(found, text.trim()).map(
    ({ namespace, name, uid, project, cluster, health }) => ({
      id: uid,
      label: name,
      status: health,
      hint: `${project} · ${cluster}`,
      run: () => void navigate({ to: '/applications/$namespace/$name', params: { namespace, name }, search: {} }),
    }),
  );
  const matches = ({ label }: PaletteEntry): boolean => words.every((word) => label.toLowerCase().includes(word));
  return [
    ...applications,
    ...pages.filter(matches),
    ...commands.map((entry) => ({ ...entry, hint: t.palette.commands })).filter(matches),
  ];
}

/** The server also finds other properties; what has the text in its name is meant more often. */
function byName(items: readonly ApplicationSummary[], text: string): readonly ApplicationSummary[] {
  const rank = ({ name }: ApplicationSummary): number =>
    name === text ? 0 : name.startsWith(text) ? 1 : name.includes(text) ? 2 : 3;
  return items.toSorted((a, b) => rank(a) - rank(b)).slice(0, 8);
}
