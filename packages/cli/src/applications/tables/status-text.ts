import type { Application } from '@fairlead/api';
import { clusterText, isAutomated } from '@fairlead/app-controller/application-text';
import type { Style } from '../../terminal/style.ts';

export {
  clusterText,
  healthWord,
  isAutomated,
  isBusy,
  objectText,
  revisionText,
  shortRevision,
  sourcesOf,
  sourceText,
  syncWord,
  whyText,
} from '@fairlead/app-controller/application-text';

export const destinationText = (application: Application): string =>
  [clusterText(application), application.spec.destination.namespace ?? ''].filter(Boolean).join('/');

export const policyText = (application: Application): string => {
  const { prune, selfHeal } = application.spec.syncPolicy?.automated ?? {};
  if (!isAutomated(application)) return 'manual';
  return ['auto', ...(prune ? ['prune'] : []), ...(selfHeal ? ['self-heal'] : [])].join('+');
};

const good = new Set(['Synced', 'Healthy', 'Succeeded', 'Pruned']);
const bad = new Set(['Degraded', 'Failed', 'Error', 'SyncFailed', 'Missing']);
const symbols: Readonly<Record<string, string>> = {
  Synced: '✔',
  Healthy: '✔',
  Succeeded: '✔',
  Pruned: '✔',
  OutOfSync: '≠',
  Progressing: '◐',
  Running: '◐',
  Suspended: '‖',
  Missing: '∅',
  Degraded: '✖',
  Failed: '✖',
  Error: '✖',
  SyncFailed: '✖',
  Unknown: '?',
};

/** A status with symbol and color on a terminal, plain otherwise. */
export function stateText(word: string, style: Style): string {
  const colour = good.has(word) ? style.good : bad.has(word) ? style.bad : style.wary;
  const marked = colour(word);
  return marked === word ? word : colour(`${symbols[word] ?? '·'} ${word}`);
}
