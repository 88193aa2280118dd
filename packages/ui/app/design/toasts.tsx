import { useSyncExternalStore } from 'react';
import { t } from '../messages/index.ts';
import { IconButton } from './icon-button.tsx';
import { StatusShape } from './status.tsx';

interface Toast {
  readonly id: number;
  readonly kind: 'ok' | 'bad';
  readonly text: string;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const remove = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** Problems stay until they are closed. */
export function showToast(text: string, kind: Toast['kind'] = 'ok'): void {
  const id = (lastId += 1);
  set([...toasts.slice(-3), { id, kind, text }]);
  if (kind === 'ok') setTimeout(() => remove(id), 6_000);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section className="toasts" aria-live="polite" aria-label={t.messages}>
      {shown.map(({ id, kind, text }) => (
        <div key={id} className={`toast tone-${kind}`}>
          <StatusShape status={kind === 'ok' ? 'Succeeded' : 'Failed'} size={18} />
          <span className="spread toast-text">{text}</span>
          <IconButton icon="close" label={t.close} onClick={() => remove(id)} />
        </div>
      ))}
    </section>
  );
}
