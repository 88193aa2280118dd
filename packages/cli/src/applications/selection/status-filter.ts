import { type Application, closest } from '@fairlead/api';
import { CliError } from '../../cli-error.ts';
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

/** `OutOfSync,Degraded`: Applications in one of these states, whatever the case of the letters. */
export function statusFilter(text: string | undefined): (application: Application) => boolean {
  if (text === undefined) return () => true;
  const wanted = new Set(
    text
      .split(',')
      .filter(Boolean)
      .map((word) => {
        const known = states.find((state) => state.toLowerCase() === word.trim().toLowerCase());
        if (known) return known;
        const near = closest(word.trim(), states);
        throw new CliError(
          `--status ${word} is not known${near ? `, perhaps ${near} is meant` : ''}: ${states.join(', ')}`,
        );
      }),
  );
  return (application) => statesOf(application).some((state) => wanted.has(state));
}

const statesOf = (application: Application): string[] => [
  syncWord(application),
  healthWord(application),
  ...(isBusy(application) ? ['Syncing'] : []),
  ...(['Failed', 'Error'].includes(application.status?.operationState?.phase ?? '') ? ['Failed'] : []),
  ...(application.metadata.deletionTimestamp ? ['Deleting'] : []),
];
