import type { KubeObject } from '@fairlead/apimachinery';
import { generator } from './application-set/generators.ts';
import { applicationSetStatus } from './application-set/status.ts';
import { applicationSetTemplate } from './application-set/template.ts';
import { defineKind } from './kind.ts';
import { boolean, intOrString, list, object, oneOf, required, type Static, string } from './schema.ts';

export const applicationsSyncPolicies = ['create-only', 'create-update', 'create-delete', 'sync'] as const;
export type ApplicationsSyncPolicy = (typeof applicationsSyncPolicies)[number];

const step = object({
  matchExpressions: list(
    object({ key: string(), operator: string('In or NotIn.'), values: list(string()) }),
    'The labels of the Applications of this step.',
  ),
  maxUpdate: intOrString('How many Applications of the step are synced at once, as a number or a share.'),
});

const spec = object(
  {
    goTemplate: boolean('Templates are Go templates.'),
    goTemplateOptions: list(string(), 'Options such as missingkey=error.'),
    generators: required(list(generator)),
    template: required(applicationSetTemplate),
    templatePatch: string('A strategic merge patch, with templates, of each Application.'),
    syncPolicy: object({
      preserveResourcesOnDeletion: boolean('Applications get no finalizer that deletes their resources.'),
      applicationsSync: oneOf(applicationsSyncPolicies, 'What may be done with Applications.'),
    }),
    strategy: object({
      type: string('AllAtOnce or RollingSync.'),
      rollingSync: object({ steps: list(step) }),
      deletionOrder: string('AllAtOnce or Reverse.'),
    }),
    preservedFields: object(
      { annotations: list(string()), labels: list(string()) },
      'Annotations and labels of Applications that are left as they are.',
    ),
    applyNestedSelectors: boolean('Has no effect: selectors of nested generators always apply.'),
    ignoreApplicationDifferences: list(
      object({ name: string(), jsonPointers: list(string()), jqPathExpressions: list(string()) }),
      'Fields of Applications that may differ from the template.',
    ),
  },
  'Which Applications there should be.',
);

const schema = object({ spec: required(spec), status: applicationSetStatus });

export const applicationSetKind = defineKind({
  group: 'argoproj.io',
  version: 'v1alpha1',
  kind: 'ApplicationSet',
  plural: 'applicationsets',
  shortNames: ['appset', 'appsets'],
  namespaced: true,
  description: 'Applications that are made from a template and generated parameters.',
  schema,
  metadataRequired: true,
  statusSubresource: true,
  labels: { 'app.kubernetes.io/name': 'applicationsets.argoproj.io', 'app.kubernetes.io/part-of': 'argocd' },
});

export interface ApplicationSetSpec extends Static<typeof spec> {}
export interface ApplicationSet extends KubeObject, Static<typeof schema> {}
