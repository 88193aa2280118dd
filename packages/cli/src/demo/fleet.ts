import { pathToFileURL } from 'node:url';
import type { Application } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import { CliError } from '../cli-error.ts';
import { controlPlaneNamespace, createApplication, createProject } from '../install.ts';
import { recordedApplication, recordedProjects } from './recorded-fleet.ts';

const teams = 10;
const atOnce = 8;
const most = 20_000;
/** The number that is deployed: thousands would take minutes, and the embedded cluster has addresses for 250 Services. */
const deployed = 200;

/** Many small Applications of one folder, spread over ten teams, to try commands at scale. Those after the first 200 have a recorded status. */
export async function createFleet(client: ApiClient, bareRepository: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, i) => count - i);
  const now = Date.now();
  if (count > deployed) for (const project of recordedProjects()) await createProject(client, project);
  const worker = async (): Promise<void> => {
    for (let number = numbers.pop(); number !== undefined; number = numbers.pop())
      await createApplication(
        client,
        number > deployed ? recordedApplication(number, now) : fleetApplication(bareRepository, number),
      );
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

export function fleetApplication(bareRepository: string, number: number): Application {
  const name = `fleet-${String(number).padStart(5, '0')}`;
  const team = `team-${((number - 1) % teams) + 1}`;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name,
      namespace: controlPlaneNamespace,
      labels: { fleet: 'demo', team },
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    },
    spec: {
      project: 'default',
      source: {
        repoURL: pathToFileURL(bareRepository).href,
        path: 'fleet',
        targetRevision: 'main',
        kustomize: { namePrefix: `${name}-` },
      },
      destination: { server: 'https://kubernetes.default.svc', namespace: `fleet-${team}` },
      syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    },
  };
}

export function readFleet(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d+$/u.test(text) || Number(text) > most)
    throw new CliError(`invalid --fleet ${text}: use a number from 0 to ${most}`);
  return Number(text);
}

/** Each deploys one small ConfigMap. */
export const fleetFiles: Readonly<Record<string, string>> = {
  'fleet/kustomization.yaml': 'resources: [settings.yaml, service.yaml]\n',
  'fleet/settings.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  greeting: hello from the fleet
`,
  'fleet/service.yaml': `apiVersion: v1
kind: Service
metadata:
  name: page
spec:
  selector:
    app: page
  ports:
    - port: 80
`,
};
