import { type Application, applicationKind } from '@fairlead/api';
import { keyOf } from '@fairlead/apimachinery';
import { type ApiClient, Informer } from '@fairlead/kube';
import {
  destinationText,
  healthWord,
  isBusy,
  revisionText,
  syncWord,
  whyText,
} from '../applications/tables/status-text.ts';
import { controlPlaneNamespace } from '../install.ts';

/** Beyond so many, lines would fly by: `get apps` has the whole. */
const fewApplications = 20;

/** Tells of Applications as they turn well, and of those that do not, for whoever looks at this terminal. Ends with the signal. */
export function announceApplications(client: ApiClient, say: (line: string) => void, signal: AbortSignal): void {
  const informer = new Informer<Application>(client, applicationKind.type, { namespace: controlPlaneNamespace });
  const teller = new Announcer();
  const tell = (application: Application): void => {
    const line = teller.line(application);
    if (line !== undefined && informer.size <= fewApplications) say(line);
  };
  informer.addHandler({
    onAdd: tell,
    onUpdate: (_, application) => tell(application),
    onDelete: (application) => teller.forget(application),
  });
  void informer.run(signal);
}

/** One line for each time that something comes to rest: well, at a new revision, or failed. What is on its way is not told. */
export class Announcer {
  readonly #told = new Map<string, string>();

  line(application: Application): string | undefined {
    const line = resting(application);
    const key = keyOf(application);
    if (line === undefined || this.#told.get(key) === line) return undefined;
    this.#told.set(key, line);
    return line;
  }

  forget(application: Application): void {
    this.#told.delete(keyOf(application));
  }
}

function resting(application: Application): string | undefined {
  const { metadata, status } = application;
  if (isBusy(application) || metadata.deletionTimestamp) return undefined;
  const where = [destinationText(application), revisionText(application)].filter(Boolean).join(' at ');
  if (syncWord(application) === 'Synced' && healthWord(application) === 'Healthy')
    return `✔ application ${metadata.name} is Synced and Healthy: ${where}`;
  const failed = ['Failed', 'Error'].includes(status?.operationState?.phase ?? '');
  const wrong = (status?.conditions ?? []).some(({ type }) => type.endsWith('Error'));
  if (!failed && !wrong && healthWord(application) !== 'Degraded') return undefined;
  return `✖ application ${metadata.name} is ${syncWord(application)} and ${healthWord(application)}: ${whyText(application)}`;
}
