import { textAt } from '@fairlead/apimachinery';
import { fn, GoError, GoMap, type GoValue, stringMap } from '@fairlead/render/go-template';
import type { Destination } from '../templates/notification.ts';
import { goMapOf, secretsValue } from './go-values.ts';
import { repositoryHelpers, stringHelpers, timeHelpers } from './helpers.ts';
import type { LoadedData } from './missing-data.ts';

export interface VariableSources {
  readonly application: unknown;
  /** The project of the Application, if it exists. */
  readonly project: unknown;
  readonly context: Readonly<Record<string, string>>;
  /** Left out with self-service notifications: users must not read the Secret of the control plane. */
  readonly secrets: ReadonlyMap<string, Buffer> | undefined;
  readonly data: LoadedData;
  readonly now: () => number;
}

/** The variables of an expression, or of a template if there is a destination. */
export function variablesOf(sources: VariableSources, destination?: Destination): GoMap {
  const { application, project, context, secrets, now } = sources;
  const variables = new GoMap([
    ['app', goMapOf(application)],
    ['appProject', goMapOf(project ?? {})],
    ['context', new GoMap(Object.entries({ notificationType: destination?.service ?? '', ...context }), stringMap)],
    ['time', timeHelpers(now)],
    ['strings', stringHelpers],
    ['repo', new GoMap([...repositoryHelpers, ...sourceHelpers(sources)])],
  ]);
  if (secrets) variables.set('secrets', secretsValue(secrets));
  if (destination) {
    variables.set('serviceType', destination.service);
    variables.set('recipient', destination.recipient);
  }
  return variables;
}

/** The part of the variable `repo` that reads the source of the Application. */
function sourceHelpers({ application, data }: VariableSources): [string, GoValue][] {
  return [
    [
      'GetCommitMetadata',
      fn('string', (revision: string) => {
        if (textAt(application, 'spec', 'source', 'repoURL') === '')
          throw new GoError('failed to get application source repo URL');
        if (textAt(application, 'spec', 'project') === '') throw new GoError('failed to get application project');
        return data.get({ kind: 'commit', revision });
      }),
    ],
    ['GetAppDetails', fn('', () => data.get({ kind: 'details' }))],
  ];
}
