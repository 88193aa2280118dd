import { createHash } from 'node:crypto';
import { type Application, type ApplicationSet, applicationKind, applicationSetKind } from '@fairlead/api';
import { isJsonObject, type Json, type JsonObject, type KubeObject, toJson } from '@fairlead/apimachinery';
import { type Environment, namespace } from './environment.ts';
import type { Expectation, RecordedCase } from './recorded-case.ts';

/** What there is now, in the form of the recording. */
export async function observe({ client }: Environment, one: RecordedCase): Promise<Expectation> {
  const applications = (await client.list<Application>(applicationKind.type, { namespace })).items;
  const sets = (await client.list<ApplicationSet>(applicationSetKind.type, { namespace })).items;
  const { name } = one.applicationset.metadata;
  const own = sets.find(({ metadata }) => metadata.name === name);
  const others = sets.filter(({ metadata }) => metadata.name !== name);
  const names = applications.map(({ metadata }) => metadata.name).sort();
  const shown = applications.map(applicationOf).sort((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1));
  return {
    ...(one.big
      ? {
          applicationsCount: names.length,
          applicationNamesSha256: createHash('sha256').update(names.join('\n')).digest('hex'),
          applications: [...shown.slice(0, 1), ...shown.slice(-1)],
        }
      : { applications: shown }),
    applicationset: own ? setOf(own, one) : null,
    ...(others.length > 0 ? { otherApplicationsets: others.map((other) => setOf(other, one)) } : {}),
  };
}

function applicationOf(application: Application): JsonObject {
  const { spec, operation, metadata } = application;
  return object({
    ...metadataOf(application),
    namespace: metadata.namespace,
    ownerReferences: metadata.ownerReferences?.map(({ uid: _, ...rest }) => rest),
    spec,
    operation,
  });
}

function setOf(set: ApplicationSet, { observeSpec, big }: RecordedCase): JsonObject {
  const { conditions, applicationStatus, resources, resourcesCount, health } = set.status ?? {};
  return object({
    ...metadataOf(set),
    ...(observeSpec ? { spec: set.spec } : {}),
    status: present({
      conditions: conditions?.map(({ lastTransitionTime: _, ...rest }) => rest),
      applicationStatus: applicationStatus?.map(({ lastTransitionTime: _, ...rest }) => rest),
      ...(big ? {} : { resources }),
      resourcesCount,
      health,
    }),
  });
}

const metadataOf = ({ metadata }: KubeObject): Record<string, unknown> => ({
  name: metadata.name,
  labels: metadata.labels,
  annotations: metadata.annotations,
  finalizers: metadata.finalizers,
  deleting: metadata.deletionTimestamp ? true : undefined,
});

const present = (value: Record<string, unknown>): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/** Without members that are absent or empty. */
function object(value: Record<string, unknown>): JsonObject {
  const json = toJson(JSON.parse(JSON.stringify(value)));
  const entries = isJsonObject(json) ? Object.entries(json) : [];
  return Object.fromEntries(entries.filter(([key, item]) => key === 'status' || !isEmpty(item)));
}

const isEmpty = (value: Json): boolean =>
  Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
