import type { ApplicationDetail } from '../../api/read-application.ts';

export interface SyncChoices {
  readonly revision?: string | undefined;
  readonly prune: boolean;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly applyOnly: boolean;
  readonly serverSide: boolean;
  readonly replace: boolean;
  /** Ids of objects; undefined for all. */
  readonly only?: readonly string[] | undefined;
}

export const initialOptions = (resource: string | undefined): SyncChoices => ({
  prune: false,
  dryRun: false,
  force: false,
  applyOnly: false,
  serverSide: false,
  replace: false,
  ...(resource === undefined ? {} : { only: [resource] }),
});

/** The body of the request that starts the sync. */
export function requestOf(app: ApplicationDetail, choices: SyncChoices): object {
  const { revision, prune, dryRun, force, applyOnly, serverSide, replace, only } = choices;
  const options = [...(serverSide ? ['ServerSideApply=true'] : []), ...(replace ? ['Replace=true'] : [])];
  return {
    name: app.name,
    appNamespace: app.namespace,
    prune,
    dryRun,
    ...(revision ? { revision } : {}),
    strategy: applyOnly ? { apply: { force } } : { hook: { force } },
    ...(options.length > 0 ? { syncOptions: { items: options } } : {}),
    ...(only ? { resources: only.map(resourceOf) } : {}),
  };
}

function resourceOf(id: string): object {
  const [group = '', kind = '', path = ''] = id.split(':');
  const slash = path.indexOf('/');
  return { group, kind, namespace: path.slice(0, slash), name: path.slice(slash + 1) };
}
