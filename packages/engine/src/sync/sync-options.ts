import type { KubeObject } from '@fairlead/apimachinery';

const annotation = 'argocd.argoproj.io/sync-options';

/** `Name=value` settings of a sync: an Application's, and each object's own, which win. */
export interface SyncOptions {
  get(name: string): string | undefined;
  /** Whether the option is set to `true`. */
  has(name: string): boolean;
}

export function syncOptions(application: readonly string[] = [], object?: KubeObject): SyncOptions {
  const own = (object?.metadata.annotations?.[annotation] ?? '').split(',');
  const values = new Map<string, string>();
  for (const text of [...application, ...own]) {
    const [name = '', value = ''] = text.trim().split('=', 2);
    if (name !== '') values.set(name, value);
  }
  return { get: (name) => values.get(name), has: (name) => values.get(name) === 'true' };
}
