import type { Application, ApplicationSpec, Operation } from '@fairlead/api';

/** The spec with automated sync off: in a rollout, the ApplicationSet says when to sync. */
export function withoutAutomatedSync(spec: ApplicationSpec): ApplicationSpec {
  const { syncPolicy } = spec;
  if (!syncPolicy?.automated) return spec;
  return { ...spec, syncPolicy: { ...syncPolicy, automated: { ...syncPolicy.automated, enabled: false } } };
}

/** The Application as a rollout writes it, with a request to sync if it is its turn. */
export function inRollout(application: Application, syncs: boolean): Application {
  const spec = withoutAutomatedSync(application.spec);
  return syncs ? { ...application, spec, operation: syncOperation(application.spec) } : { ...application, spec };
}

function syncOperation({ syncPolicy }: ApplicationSpec): Operation {
  const { automated, retry, syncOptions } = syncPolicy ?? {};
  const prunes = automated !== undefined && automated.enabled !== false && automated.prune === true;
  return {
    initiatedBy: { username: 'applicationset-controller', automated: true },
    info: [{ name: 'Reason', value: 'ApplicationSet RollingSync triggered a sync of this Application resource' }],
    retry: retry ?? { limit: 5 },
    sync: { ...(prunes ? { prune: true } : {}), ...(syncOptions ? { syncOptions } : {}) },
  };
}
