import { useSyncExternalStore } from 'react';
import { writeSetting } from '../lib/storage.ts';

export const themes = ['dark', 'light', 'contrast'] as const;
export type Theme = (typeof themes)[number];

const isTheme = (name: string | undefined): name is Theme => themes.some((theme) => theme === name);
const listeners = new Set<() => void>();

/** `theme.js` has set it before the first paint. */
export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return isTheme(theme) ? theme : 'dark';
}

export function setTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  writeSetting('theme', theme);
  for (const listener of listeners) listener();
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
