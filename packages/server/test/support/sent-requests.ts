import type { JsonObject } from '@fairlead/apimachinery';

interface SentRequest {
  readonly command: string;
  readonly path: string;
  /** In base64. */
  readonly body: string;
  readonly message: JsonObject;
}

/** Requests as argocd 3.6 sends them. */
export const sentRequests: readonly SentRequest[] = [
  {
    command: 'app create shop --path chart --helm-set a=b --helm-set-string c=1 --sync-policy automated …',
    path: '/application.ApplicationService/Create',
    body: 'CqkCCiMKBHNob3ASABoAIgAqADIAOABCAFoNCgR0aWVyEgVmcm9udBLLAQplChxodHRwczovL2dpdC5leGFtcGxlLmNvbS9zaG9wEgVjaGFydCIEbWFpbjowCgZ2LnlhbWwSCAoBYRIBYhgAEggKAWMSATEYARoAIgAyADgAQABIAFoAYgBwAHgAYgBqAHIAegASKAoeaHR0cHM6Ly9rdWJlcm5ldGVzLmRlZmF1bHQuc3ZjEgRzaG9wGgAaBHRlYW0iMAoECAEQARIUQ3JlYXRlTmFtZXNwYWNlPXRydWUaEggDEgwKAjVzEAIaBDNtMHMYADgFGjQSHgoAEhgKDgoAEgAiAGIAagByAHoAEgYKABIAGgAaABoECgASAEoAUgIYAFoAagByAhoAEAEYAQ==',
    message: {
      application: {
        metadata: { name: 'shop', labels: { tier: 'front' } },
        spec: {
          source: {
            repoURL: 'https://git.example.com/shop',
            path: 'chart',
            targetRevision: 'main',
            helm: {
              valueFiles: ['v.yaml'],
              parameters: [
                { name: 'a', value: 'b' },
                { name: 'c', value: '1', forceString: true },
              ],
            },
          },
          destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
          project: 'team',
          syncPolicy: {
            automated: { prune: true, selfHeal: true },
            syncOptions: ['CreateNamespace=true'],
            retry: { limit: 3, backoff: { duration: '5s', factor: 2, maxDuration: '3m0s' } },
          },
          revisionHistoryLimit: 5,
        },
        status: {
          sync: { status: '', comparedTo: { source: { repoURL: '' }, destination: {} } },
          health: {},
          summary: {},
          sourceHydrator: {},
        },
      },
      upsert: true,
      validate: true,
    },
  },
  {
    command: 'app create k --path k --nameprefix p- --kustomize-replica web=3 …',
    path: '/application.ApplicationService/Create',
    body: 'CtcBChEKAWsSABoAIgAqADIAOABCABKLAQpxChxodHRwczovL2dpdC5leGFtcGxlLmNvbS9zaG9wEgFrIgBCOAoCcC0SABoFYT1iOjEiBgoBeBIBeSoAOAFAAEoAUABaDQoDd2ViEgYIABADGgBwAHoAiAEAkAEAUgoIARIAGgAiACgAYgBqAHIAegASFAoAEgRzaG9wGgppbi1jbHVzdGVyGgAaNBIeCgASGAoOCgASACIAYgBqAHIAegASBgoAEgAaABoAGgQKABIASgBSAhgAWgBqAHICGgAQABgB',
    message: {
      application: {
        metadata: { name: 'k' },
        spec: {
          source: {
            repoURL: 'https://git.example.com/shop',
            path: 'k',
            kustomize: {
              namePrefix: 'p-',
              images: ['a=b:1'],
              commonLabels: { x: 'y' },
              forceCommonLabels: true,
              replicas: [{ name: 'web', count: 3 }],
            },
            directory: { recurse: true, jsonnet: {} },
          },
          destination: { namespace: 'shop', name: 'in-cluster' },
          project: '',
        },
        status: {
          sync: { status: '', comparedTo: { source: { repoURL: '' }, destination: {} } },
          health: {},
          summary: {},
          sourceHydrator: {},
        },
      },
      upsert: false,
      validate: true,
    },
  },
  {
    command: 'proj create team -d https://kubernetes.default.svc,shop --orphaned-resources …',
    path: '/project.ProjectService/Create',
    body: 'CngKFAoEdGVhbRIAGgAiACoAMgA4AEIAEl4KGWh0dHBzOi8vZ2l0LmV4YW1wbGUuY29tLyoSKAoeaHR0cHM6Ly9rdWJlcm5ldGVzLmRlZmF1bHQuc3ZjEgRzaG9wGgAaAWQqEAoBKhIJTmFtZXNwYWNlGgA6AGgAGgA=',
    message: {
      project: {
        metadata: { name: 'team' },
        spec: {
          sourceRepos: ['https://git.example.com/*'],
          destinations: [{ server: 'https://kubernetes.default.svc', namespace: 'shop' }],
          description: 'd',
          clusterResourceWhitelist: [{ group: '*', kind: 'Namespace' }],
          orphanedResources: {},
        },
        status: {},
      },
    },
  },
  {
    command: 'account can-i sync applications *',
    path: '/account.AccountService/CanI',
    body: 'CgxhcHBsaWNhdGlvbnMSBHN5bmMaASo=',
    message: { resource: 'applications', action: 'sync', subresource: '*' },
  },
  {
    command: 'app logs shop --tail 10 --follow --since-seconds 5',
    path: '/application.ApplicationService/PodLogs',
    body: 'CgRzaG9wEgAiACgFOApAAUoAUgBaAGIAagBwAHoAiAEA',
    message: {
      name: 'shop',
      namespace: '',
      container: '',
      sinceSeconds: 5,
      tailLines: 10,
      follow: true,
      untilTime: '',
      filter: '',
      kind: '',
      group: '',
      resourceName: '',
      previous: false,
      appNamespace: '',
      matchCase: false,
    },
  },
  {
    command: 'repo add https://git.example.com/shop --username u --password p',
    path: '/repository.RepositoryService/ValidateAccess',
    body: 'ChxodHRwczovL2dpdC5leGFtcGxlLmNvbS9zaG9wEgF1GgFwSgNnaXQ=',
    message: { repo: 'https://git.example.com/shop', username: 'u', password: 'p', type: 'git' },
  },
];
