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

/** With more Applications, nothing is printed: `get apps` lists them. */
const fewApplications = 20;

/** Prints a line when an Application becomes Synced and Healthy, or fails. Ends with the signal. */
export function announceApplications(client: ApiClient, say: (line: string) => void, signal: AbortSignal): void {
  const informer = new Informer<Application>(client, applicationKind.type, { namespace: controlPlaneNamespace });
  const log = new Announcer();
  const print = (application: Application): void => {
    const line = log.line(application);
    if (line !== undefined && informer.size <= fewApplications) say(line);
  };
  informer.addHandler({
    onAdd: print,
    onUpdate: (_, application) => print(application),
    onDelete: (application) => log.forget(application),
  });
  void informer.run(signal);
}

/** One line for each final state: healthy at a new revision, or failed. Progress is not printed. */
export class Announcer {
  readonly #printed = new Map<string, string>();

  line(application: Application): string | undefined {
    const line = resting(application);
    const key = keyOf(application);
    if (line === undefined || this.#printed.get(key) === line) return undefined;
    this.#printed.set(key, line);
    return line;
  }

  forget(application: Application): void {
    this.#printed.delete(keyOf(application));
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
