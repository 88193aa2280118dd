import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, type AppProject, applicationKind, appProjectKind } from '@fairlead/api';
import { type ConfigMap, configMapType, type Secret, secretType } from '@fairlead/apimachinery';
import {
  applicationSetSettings,
  createForgeHttp,
  createGitReader,
  createObjectReader,
  type PreviewEnv,
  readInstallation,
} from '@fairlead/app-controller';
import { createJq } from '@fairlead/engine';
import { type HttpClient, listAll, systemClock } from '@fairlead/kube';
import { createSources, credentialsFor } from '@fairlead/source';
import { repositorySecrets } from '../diff/project-access.ts';
import type { Environment } from '../environment.ts';
import { controlPlaneNamespace } from '../install.ts';
import { trustIn } from '../roles/trust.ts';

/** Calls `work` with what a preview reads: the cluster's settings, clusters, projects and Applications, and sources read from this machine. */
export async function withPreviewEnv<T>(
  client: HttpClient,
  namespace: string,
  { processes }: Environment,
  work: (env: PreviewEnv) => Promise<T>,
): Promise<T> {
  const home = controlPlaneNamespace;
  const [secrets, projects, applications, configMaps, stored] = await Promise.all([
    listAll<Secret>(client, secretType, { namespace: home, labelSelector: 'argocd.argoproj.io/secret-type=cluster' }),
    listAll<AppProject>(client, appProjectKind.type, { namespace: home }),
    listAll<Application>(client, applicationKind.type, { namespace }),
    listAll<ConfigMap>(client, configMapType, { namespace: home }),
    repositorySecrets(client, home),
  ]);
  const dataOf = (name: string): Readonly<Record<string, string>> | undefined =>
    configMaps.items.find(({ metadata }) => metadata.name === name)?.data;
  const current = readInstallation(dataOf('argocd-cm'), dataOf('argocd-cmd-params-cm'));
  const settings = applicationSetSettings({ current }, { namespace: home, environment: processes });
  const trust = trustIn(dataOf);
  const cacheDir = await mkdtemp(join(tmpdir(), 'fairlead-preview-'));
  const shared = { clock: systemClock, environment: processes, trust };
  const sources = createSources({ cacheDir, pollMs: 600_000, allowLocal: true, ...shared });
  const forges = createForgeHttp(shared);
  const jq = createJq({ timeMs: current.jqTimeMs });
  const project = (name: string): AppProject | undefined =>
    projects.items.find(({ metadata }) => metadata.name === name);
  const byName = new Map(applications.items.map((one) => [one.metadata.name, one]));
  try {
    return await work({
      namespace: home,
      settings,
      objects: createObjectReader(client, () => secrets.items),
      git: createGitReader({
        sources,
        access: {
          credentialsFor: (url, name) =>
            credentialsFor(url, stored, (entry) => !entry.project || entry.project === name),
        },
        project,
        newGlobbing: () => settings.newGitFileGlobbing,
      }),
      forges,
      applications: {
        get: (_, name) => byName.get(name),
        ownedBy: (_, set) =>
          applications.items.filter(({ metadata }) =>
            (metadata.ownerReferences ?? []).some(
              ({ kind, name, controller }) => controller && kind === 'ApplicationSet' && name === set,
            ),
          ),
      },
      project,
      jq,
    });
  } finally {
    await jq.close();
    await forges.close();
    sources.close();
    await rm(cacheDir, { recursive: true, force: true });
  }
}
