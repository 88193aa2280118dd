import type { Application } from '@fairlead/api';
import { CliError } from '../../cli-error.ts';
import { didYouMean } from '../../did-you-mean.ts';
import { healthWord, isBusy, syncWord } from '../tables/status-text.ts';

const states = [
  'Synced',
  'OutOfSync',
  'Unknown',
  'Healthy',
  'Progressing',
  'Degraded',
  'Suspended',
  'Missing',
  'Syncing',
  'Failed',
  'Deleting',
];

/** `OutOfSync,Degraded`: Applications with one of these statuses, case-insensitive. */
export function statusFilter(text: string | undefined): (application: Application) => boolean {
  if (text === undefined) return () => true;
  const selected = new Set(
    text
      .split(',')
      .filter(Boolean)
      .map((word) => {
        const known = states.find((state) => state.toLowerCase() === word.trim().toLowerCase());
        if (known) return known;
        throw new CliError(
          `invalid --status ${word}${didYouMean(word.trim(), states)}: use one of ${states.join(', ')}`,
        );
      }),
  );
  return (application) => statesOf(application).some((state) => selected.has(state));
}

const statesOf = (application: Application): string[] => [
  syncWord(application),
  healthWord(application),
  ...(isBusy(application) ? ['Syncing'] : []),
  ...(['Failed', 'Error'].includes(application.status?.operationState?.phase ?? '') ? ['Failed'] : []),
  ...(application.metadata.deletionTimestamp ? ['Deleting'] : []),
];
