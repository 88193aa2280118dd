import { pathToFileURL } from 'node:url';
import type { Application } from '@fairlead/api';
import { controlPlaneNamespace } from '../install.ts';

export const demoNamespace = 'demo';

/** The demo Application: the web folder of the demo repository, synced automatically. */
export const demoApplication = (bareRepository: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    name: 'web',
    namespace: controlPlaneNamespace,
    finalizers: ['resources-finalizer.argocd.argoproj.io'],
  },
  spec: {
    project: 'default',
    source: { repoURL: pathToFileURL(bareRepository).href, path: 'web', targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: demoNamespace },
    syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
  },
});
