import { type Application, applicationKind } from '@fairlead/api';
import { equalJson, isConflict, type Json, type KubeObject } from '@fairlead/apimachinery';
import type { HttpClient } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import { fieldChanges } from '../../diff/field-changes.ts';
import { type ApplicationKey, findApplication } from '../selection/find-application.ts';
import { refuseProblems } from './validate-application.ts';

export interface Changed {
  readonly before: Application;
  readonly after: Application;
}

/** Changes an Application as it is now: when somebody else writes meanwhile, the change is made anew on theirs. */
export async function changeApplication(
  client: HttpClient,
  key: ApplicationKey,
  change: (application: Application) => Application,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<Changed> {
  for (let tries = 0; ; tries++) {
    const before = await findApplication(client, key);
    const wanted = change(before);
    refuseProblems(wanted);
    if (dryRun || isSame(before, wanted)) return { before, after: wanted };
    try {
      return { before, after: await client.replace<Application>(applicationKind.type, wanted) };
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (tries === 10) throw new CliError('the Application changes all the time: try again', { cause: error });
    }
  }
}

const shown = ({ metadata: { labels = {}, annotations = {}, finalizers = [] }, spec }: Application): Json =>
  ({ metadata: { labels, annotations, finalizers }, spec }) as unknown as Json;

const isSame = (a: Application, b: Application): boolean => equalJson(shown(a), shown(b));

/** Each field that differs: `spec.source.targetRevision: main → v2`. */
export function changeLines({ before, after }: Changed): string[] {
  const changes = fieldChanges(shown(before) as unknown as KubeObject, shown(after) as unknown as KubeObject);
  return changes.map(({ path, before: old, after: now }) => {
    const field = path.join('.').replaceAll('.[', '[');
    const value = (json: Json): string => (typeof json === 'string' ? json : JSON.stringify(json));
    if (old === undefined) return `+ ${field}: ${value(now!)}`;
    return now === undefined ? `- ${field}: ${value(old)}` : `~ ${field}: ${value(old)} → ${value(now)}`;
  });
}
