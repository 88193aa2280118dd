import type { JsonObject } from '@fairlead/apimachinery/json-at';

/** What a new ApplicationSet begins with: one Application for each element of a list. */
export const exampleSet: JsonObject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'guestbook' },
  spec: {
    goTemplate: true,
    goTemplateOptions: ['missingkey=error'],
    generators: [{ list: { elements: [{ stage: 'dev' }, { stage: 'prod' }] } }],
    template: {
      metadata: { name: 'guestbook-{{.stage}}' },
      spec: {
        project: 'default',
        source: {
          repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
          path: 'guestbook',
          targetRevision: 'HEAD',
        },
        destination: { name: 'in-cluster', namespace: 'guestbook-{{.stage}}' },
      },
    },
  },
};
