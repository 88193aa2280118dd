import { applicationKind, appProjectKind, crdOf } from '@fairlead/api';
import { configMapType, crdType, find, isAlreadyExists, isNotFound, namespaceType } from '@fairlead/apimachinery';
import { controlPlaneNamespace } from './controller.ts';
import type { Target } from './target.ts';

/** The default exclusions of Argo CD; scenarios may replace them. */
const exclusions = `
- apiGroups: ['', discovery.k8s.io]
  kinds: [Endpoints, EndpointSlice]
- apiGroups: [coordination.k8s.io]
  kinds: [Lease]
- apiGroups: [authentication.k8s.io, authorization.k8s.io]
  kinds: [SelfSubjectReview, TokenReview, LocalSubjectAccessReview, SelfSubjectAccessReview, SelfSubjectRulesReview, SubjectAccessReview]
- apiGroups: [certificates.k8s.io]
  kinds: [CertificateSigningRequest]
- apiGroups: [cert-manager.io]
  kinds: [CertificateRequest]
`;

const settingsKey = { namespace: controlPlaneNamespace, name: 'argocd-cm' };

/** The custom resources, the namespace of the control plane, the project `default` and the settings. */
export async function install(target: Target): Promise<void> {
  const { client } = target;
  for (const kind of [applicationKind, appProjectKind]) await orThere(client.create(crdType, crdOf(kind)));
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: controlPlaneNamespace } };
  await orThere(client.create(namespaceType, namespace));
  await configure(target, {});
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace: controlPlaneNamespace },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  };
  for (let attempts = 0; ; attempts += 1) {
    try {
      await orThere(client.create(appProjectKind.type, project));
      return;
    } catch (error) {
      // Definitions are served shortly after they are accepted.
      if (!isNotFound(error) || attempts > 50) throw error;
      await target.pass(100);
    }
  }
}

/** Sets the data of `argocd-cm`: what Argo CD installs, and these settings. */
export async function configure({ client }: Target, settings: Readonly<Record<string, string>>): Promise<void> {
  const data = { 'resource.exclusions': exclusions, ...settings };
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: settingsKey, data };
  await client.patch(configMapType, settingsKey, 'apply', configMap, { fieldManager: 'rec', force: true });
}

/** Removes the custom kinds that are not part of the installation: messages about an unknown kind name others of the same name. */
export async function removeDefinitions({ client }: Target): Promise<void> {
  const { items } = await client.list(crdType);
  const own = new Set([applicationKind, appProjectKind].map((kind) => crdOf(kind).metadata.name));
  for (const { metadata } of items) {
    if (!own.has(metadata.name)) await find(client.delete(crdType, { name: metadata.name }));
  }
}

async function orThere(creating: Promise<unknown>): Promise<void> {
  await creating.catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}
