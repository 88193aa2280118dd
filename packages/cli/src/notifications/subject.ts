import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, type AppProject, applicationKind, appProjectKind } from '@fairlead/api';
import { find, textAt } from '@fairlead/apimachinery';
import { type PreviewSubject, sourceData } from '@fairlead/app-controller/notifications';
import { systemClock } from '@fairlead/kube';
import { createSources } from '@fairlead/source';
import { onCluster } from '../applications/cluster/on-cluster.ts';
import { CliError } from '../cli-error.ts';
import { type ConfigCall, namespaceOf, readObjects } from './read-config.ts';

/** Calls `work` with the Application of a file or of the cluster, and with its project if the cluster has it. */
export async function withSubject<T>(
  call: ConfigCall,
  name: string,
  work: (subject: PreviewSubject) => Promise<T>,
): Promise<T> {
  const application = await applicationOf(call, name);
  const project = await projectOf(call, textAt(application, 'spec', 'project') || 'default');
  const sources = createSources({
    cacheDir: join(tmpdir(), 'fairlead-cache', 'sources'),
    clock: systemClock,
    environment: call.environment.processes,
    pollMs: 60_000,
    allowLocal: true,
  });
  try {
    const load = sourceData({ sources, access: { credentialsFor: () => undefined } })(application, project);
    return await work({ application, project, load, now: () => Date.now() });
  } finally {
    sources.close();
  }
}

async function applicationOf(call: ConfigCall, name: string): Promise<Application> {
  if (statSync(name, { throwIfNoEntry: false })?.isFile()) {
    const [object] = readObjects(name);
    if (!object) throw new CliError(`${name} has no object`);
    return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...object } as unknown as Application;
  }
  const key = { namespace: namespaceOf(call), name };
  const found = await onCluster(call, (client) => find(client.get<Application>(applicationKind.type, key)));
  if (!found) throw new CliError(`there is no file and no Application ${name} in namespace ${key.namespace}`);
  return found;
}

/** A template may be tried without a cluster: there is no project then. */
async function projectOf(call: ConfigCall, name: string): Promise<AppProject | undefined> {
  const key = { namespace: namespaceOf(call), name };
  try {
    return await onCluster(call, (client) => find(client.get<AppProject>(appProjectKind.type, key)));
  } catch {
    return undefined;
  }
}
