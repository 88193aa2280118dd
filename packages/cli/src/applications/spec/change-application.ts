import { type Application, applicationKind } from '@fairlead/api';
import { equalJson, isConflict, type Json, toJson } from '@fairlead/apimachinery';
import { jsonChanges } from '@fairlead/engine';
import type { ObjectClient } from '../../backend/backend.ts';
import { CliError } from '../../cli-error.ts';
import { type ApplicationKey, findApplication } from '../selection/find-application.ts';
import { refuseProblems } from './validate-application.ts';

export interface Changed {
  readonly before: Application;
  readonly after: Application;
}

/** Changes an Application. On a conflict, repeats the change on the newer version. */
export async function changeApplication(
  client: ObjectClient,
  key: ApplicationKey,
  change: (application: Application) => Application,
  {
    dryRun = false,
    write = (application) => client.replace<Application>(applicationKind.type, application),
  }: { readonly dryRun?: boolean; readonly write?: (application: Application) => Promise<Application> } = {},
): Promise<Changed> {
  for (let tries = 0; ; tries++) {
    const before = await findApplication(client, key);
    const after = change(before);
    refuseProblems(after);
    if (dryRun || isSame(before, after)) return { before, after };
    try {
      return { before, after: await write(after) };
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (tries === 10)
        throw new CliError('too many conflicting writes to the Application: try again', { cause: error });
    }
  }
}

const shown = ({ metadata: { labels = {}, annotations = {}, finalizers = [] }, spec }: Application): Json =>
  toJson({ metadata: { labels, annotations, finalizers }, spec });

const isSame = (a: Application, b: Application): boolean => equalJson(shown(a), shown(b));

/** Each field that differs: `spec.source.targetRevision: main → v2`. */
export function changeLines({ before, after }: Changed): string[] {
  const changes = jsonChanges(shown(before), shown(after));
  return changes.map(({ path, before: old, after: now }) => {
    const field = path.join('.').replaceAll('.[', '[');
    const value = (json: Json): string => (typeof json === 'string' ? json : JSON.stringify(json));
    if (old === undefined) return `+ ${field}: ${value(now ?? null)}`;
    return now === undefined ? `- ${field}: ${value(old)}` : `~ ${field}: ${value(old)} → ${value(now)}`;
  });
}
