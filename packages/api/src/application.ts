import type { KubeObject } from '@fairlead/apimachinery';
import { operation } from './application/operation.ts';
import type { ApplicationSource } from './application/source.ts';
import { type ApplicationSpec, applicationSpec } from './application/spec.ts';
import { applicationStatus } from './application/status.ts';
import { defineKind } from './kind.ts';
import { object, required, type Static } from './schema.ts';
import type { FieldProblem } from './validate.ts';

const schema = object({
  spec: required(applicationSpec),
  status: applicationStatus,
  operation,
});

export const applicationKind = defineKind({
  group: 'argoproj.io',
  version: 'v1alpha1',
  kind: 'Application',
  plural: 'applications',
  shortNames: ['app', 'apps'],
  namespaced: true,
  description: 'A set of objects that is deployed from a source to a cluster.',
  schema,
  metadataRequired: true,
  // As in Argo CD: spec, operation and status are one resource, and clients patch status without the subresource.
  statusSubresource: false,
  printerColumns: [
    { name: 'Sync Status', type: 'string', jsonPath: '.status.sync.status' },
    { name: 'Health Status', type: 'string', jsonPath: '.status.health.status' },
    { name: 'Revision', type: 'string', jsonPath: '.status.sync.revision', priority: 10 },
    { name: 'Project', type: 'string', jsonPath: '.spec.project', priority: 10 },
  ],
  labels: { 'app.kubernetes.io/name': 'applications.argoproj.io', 'app.kubernetes.io/part-of': 'argocd' },
  rules: ({ spec }) => specProblems(spec),
});

export interface Application extends KubeObject, Static<typeof schema> {}

/** Rules for the spec of an Application that a schema cannot express: fields that exclude or require each other. */
function* specProblems(spec: ApplicationSpec): Iterable<FieldProblem> {
  const { server, name } = spec.destination;
  if (server && name) {
    yield { field: 'spec.destination', message: `has both server ${server} and name ${name}: keep one of them` };
  }
  if (!server && !name) {
    yield { field: 'spec.destination', message: 'has neither server nor name: set one of them' };
  }
  if (spec.sources?.length) {
    for (const [i, source] of spec.sources.entries()) yield* sourceProblems(source, `spec.sources[${i}]`, true);
  } else if (!spec.sourceHydrator) yield* sourceProblems(spec.source ?? { repoURL: '' }, 'spec.source', false);
}

/** The same message as Argo CD. */
function* sourceProblems(
  { repoURL, path, chart, ref, targetRevision }: ApplicationSource,
  at: string,
  several: boolean,
): Iterable<FieldProblem> {
  if (repoURL === '' || (!path && !chart && !(several && ref))) {
    const message = several
      ? `and either source.path, source.chart, or source.ref are required for source ${at}`
      : 'and either spec.source.path or spec.source.chart are required';
    yield { field: 'spec.source.repoURL', message };
  } else if (chart && !targetRevision) {
    yield { field: `${at}.targetRevision`, message: 'is required if the manifest source is a helm chart' };
  }
}
