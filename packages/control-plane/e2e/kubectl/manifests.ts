export const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

export const deployment = (name: string, image: string, replicas = 2) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'main', image }] },
    },
  },
});

/** A CustomResourceDefinition whose group is unique per session, so that two can run concurrently on one cluster. */
export const boats = (group: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `boats.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'boats', singular: 'boat', kind: 'Boat', shortNames: ['bt'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.crew', statusReplicasPath: '.status.crew' } },
        additionalPrinterColumns: [
          { name: 'Crew', type: 'integer', jsonPath: '.spec.crew' },
          { name: 'Home', type: 'string', jsonPath: '.spec.home', priority: 1 },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                description: 'What the boat should be.',
                required: ['crew'],
                properties: {
                  crew: { type: 'integer', minimum: 1, description: 'How many sail it.' },
                  home: { type: 'string', default: 'harbour' },
                },
              },
              status: { type: 'object', properties: { crew: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
});
