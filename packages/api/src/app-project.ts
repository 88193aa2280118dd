import type { KubeObject } from '@fairlead/apimachinery';
import { destination } from './application/spec.ts';
import { defineKind } from './kind.ts';
import { boolean, int64, list, mapOf, object, required, type Static, string } from './schema.ts';

const clusterResource = object({
  group: required(string()),
  kind: required(string()),
  name: string('Only objects whose name matches this glob.'),
});
const namespaceResource = object({ group: required(string()), kind: required(string()) });
const jwtToken = object({ iat: required(int64('Issued at, in seconds.')), exp: int64('Expires at.'), id: string() });

const role = object({
  name: required(string()),
  description: string(),
  policies: list(string(), 'Policy lines, p, proj:PROJECT:ROLE, ….'),
  groups: list(string(), 'Groups of the identity provider that have this role.'),
  jwtTokens: list(jwtToken, 'Tokens issued for this role.'),
});

const syncWindow = object({
  kind: string('allow or deny.'),
  schedule: string('When the window opens, as cron.'),
  duration: string('How long the window is open, such as 1h.'),
  timeZone: string('The zone of the schedule; UTC when empty.'),
  applications: list(string()),
  namespaces: list(string()),
  clusters: list(string()),
  andOperator: boolean('All of applications, namespaces and clusters must match, not any.'),
  manualSync: boolean('Manual syncs are permitted although the window blocks automated ones.'),
  syncOverrun: boolean('A running sync may continue after the window closes.'),
  description: string(),
});

const schema = object({
  spec: required(
    object(
      {
        description: string({ maxLength: 255 }),
        sourceRepos: list(string(), 'Repositories that may be used; globs, ! denies.'),
        destinations: list(destination, 'Clusters and namespaces that may be deployed to; globs, ! denies.'),
        sourceNamespaces: list(string(), 'Namespaces that Applications of this project may live in.'),
        clusterResourceWhitelist: list(clusterResource, 'Cluster-scoped kinds permitted; none when empty.'),
        clusterResourceBlacklist: list(clusterResource, 'Cluster-scoped kinds refused.'),
        namespaceResourceWhitelist: list(namespaceResource, 'Namespaced kinds permitted; all when absent.'),
        namespaceResourceBlacklist: list(namespaceResource, 'Namespaced kinds refused.'),
        roles: list(role),
        syncWindows: list(syncWindow, 'When syncs may and may not run.'),
        orphanedResources: object(
          {
            warn: boolean('Report orphaned resources in a condition; true by default.'),
            ignore: list(object({ group: string(), kind: string(), name: string() })),
          },
          'Watch for objects that no Application owns.',
        ),
        signatureKeys: list(object({ keyID: required(string()) }), 'Commits must be signed by one of these keys.'),
        sourceIntegrity: object({
          git: required(
            object({
              policies: required(
                list(
                  object({
                    repos: required(list(object({ url: required(string('A glob; ! denies.')) }))),
                    gpg: required(object({ mode: required(string()), keys: required(list(string())) })),
                  }),
                ),
              ),
            }),
          ),
        }),
        permitOnlyProjectScopedClusters: boolean('Only clusters that belong to this project may be deployed to.'),
        destinationServiceAccounts: list(
          object({
            server: required(string()),
            namespace: string(),
            defaultServiceAccount: required(string('The service accounts to impersonate during a sync.')),
          }),
        ),
      },
      'The permissions of the Applications of this project.',
    ),
  ),
  status: object({
    jwtTokensByRole: mapOf(object({ items: list(jwtToken) }), 'Tokens issued, by role.'),
  }),
});

export const appProjectKind = defineKind({
  group: 'argoproj.io',
  version: 'v1alpha1',
  kind: 'AppProject',
  plural: 'appprojects',
  shortNames: ['appproj', 'appprojs'],
  namespaced: true,
  description: 'The repositories, destinations and kinds that a group of Applications may use.',
  schema,
  metadataRequired: true,
  statusSubresource: false,
  labels: { 'app.kubernetes.io/name': 'appprojects.argoproj.io', 'app.kubernetes.io/part-of': 'argocd' },
});

export interface AppProject extends KubeObject, Static<typeof schema> {}

/**
 * Limits the addresses of the sources of a project: `private, 10.1.0.0/16`, `*` for all. A project without the annotation is not limited:
 * its administrator decides with `sourceRepos`. The service sets it on the projects of tenants.
 */
export const allowedNetworksAnnotation = 'fairlead.dev/allowed-networks';
