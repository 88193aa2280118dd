import type { KubeObject } from '@fairlead/apimachinery';
import { operation } from './application/operation.ts';
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
  description: 'A set of objects that a source describes and a cluster should have.',
  schema,
  metadataRequired: true,
  // As Argo CD has it: spec, operation and status are one resource, and clients patch status without the subresource.
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

/** What a schema cannot say about an Application's spec: which fields exclude or need each other. */
function* specProblems(spec: ApplicationSpec): Iterable<FieldProblem> {
  const { server, name } = spec.destination;
  if (server && name) {
    yield { field: 'spec.destination', message: `has both server ${server} and name ${name}: keep one of them` };
  }
  if (!server && !name) {
    yield { field: 'spec.destination', message: 'has neither server nor name: set one of them' };
  }
  if (!spec.source && !spec.sourceHydrator && (spec.sources ?? []).length === 0) {
    yield { field: 'spec.source', message: 'is missing: set source, sources or sourceHydrator' };
  }
  const sources = (spec.sources ?? []).length > 0 ? (spec.sources ?? []) : spec.source ? [spec.source] : [];
  for (const [i, source] of sources.entries()) {
    const at = (spec.sources ?? []).length > 0 ? `spec.sources[${i}]` : 'spec.source';
    if (source.repoURL === '') yield { field: `${at}.repoURL`, message: 'is empty: set where the manifests are' };
    if (!source.path && !source.chart && !source.ref) {
      yield { field: at, message: 'has neither path nor chart: set the folder of the manifests, "." for the top' };
    }
    if (source.chart && !source.targetRevision) {
      yield { field: `${at}.targetRevision`, message: 'is missing: set the version of the chart' };
    }
  }
}
