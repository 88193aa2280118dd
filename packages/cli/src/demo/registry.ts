import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Application } from '@fairlead/api';
import { dockerHub, type RegistryEndpoint } from '@fairlead/images';
import { type DataDir, dataDirAt, loadInstanceState } from '../data-dir.ts';
import type { Environment } from '../environment.ts';
import { runningAt } from '../find-cluster.ts';
import { controlPlaneNamespace } from '../install.ts';

/** The registry name of the demo's images: it is fixed, while the port of the registry may change. */
export const demoRegistryName = 'registry.demo.local';
export const demoImage = 'web';
export const firstDemoTag = '1.1.0';

export const demoRegistryDir = (dir: DataDir): string => join(dir.root, 'registry');

/** The running instance, by its data folder or by the working directory. */
export function demoInstance(dataDir: string | undefined, environment: Environment): DataDir | undefined {
  const named = dataDir ?? environment.dataDir;
  return named === undefined ? runningAt(environment.processes, process.cwd()) : dataDirAt(named);
}

export const endpointAt = (url: string): RegistryEndpoint => ({
  ...dockerHub,
  prefix: demoRegistryName,
  name: 'the demo registry',
  apiUrl: url,
  ping: false,
  defaultNamespace: '',
  limit: 0,
  isDefault: false,
});

/** The address of the registry of a running demo. */
export function demoEndpoint(dataDir: string | undefined, environment: Environment): RegistryEndpoint[] {
  const dir = demoInstance(dataDir, environment);
  const port = dir && loadInstanceState(dir).registryPort;
  return port === undefined ? [] : [endpointAt(`http://127.0.0.1:${port}`)];
}

const prefix = 'argocd-image-updater.argoproj.io';

/** The Application whose image follows the demo registry: new tags are committed to its kustomization. */
export const storefrontApplication = (bareRepository: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    name: 'storefront',
    namespace: controlPlaneNamespace,
    finalizers: ['resources-finalizer.argocd.argoproj.io'],
    annotations: {
      // New images are pulled on the nodes before they are committed.
      'fairlead.dev/prepull': 'true',
      [`${prefix}/image-list`]: `${demoImage}=${demoRegistryName}/${demoImage}:^1`,
      [`${prefix}/write-back-method`]: 'git',
      [`${prefix}/write-back-target`]: 'kustomization',
    },
  },
  spec: {
    project: 'default',
    source: { repoURL: pathToFileURL(bareRepository).href, path: 'storefront', targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'storefront' },
    syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
  },
});

/** Its folder in the demo's repository. */
export const storefrontFiles: Readonly<Record<string, string>> = {
  'storefront/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization

resources:
  - deployment.yaml

# The image updater writes newTag: fairlead demo push ${demoImage} 1.2.0 shows it.
images:
  - name: ${demoRegistryName}/${demoImage}
    newTag: ${firstDemoTag}
`,
  'storefront/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: storefront
  labels:
    app: storefront
spec:
  replicas: 2
  selector:
    matchLabels:
      app: storefront
  template:
    metadata:
      labels:
        app: storefront
    spec:
      containers:
        - name: web
          image: ${demoRegistryName}/${demoImage}
`,
};
