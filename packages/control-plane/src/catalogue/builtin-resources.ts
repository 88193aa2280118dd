import { createHash } from 'node:crypto';
import {
  defaultsFor,
  type KindDefaults,
  normalize,
  type ObjectSchema,
  typeNamed,
  typeNameOf,
} from '@fairlead/apimachinery';
import type { KindRules, Resource, ReviewResource, TableRules } from '../resource.ts';
import { autoscalerConversion } from './autoscaler-conversion.ts';
import { eventConversion } from './event-conversion.ts';
import { groupRows } from './group-rows.ts';
import { allVerbs, type GroupRows, type Row } from './row.ts';
import { selectableFields } from './selectable.ts';

export interface Parts {
  /** By `apiVersion/Kind`: `v1/Pod`, `apps/v1/Deployment`. */
  readonly rules: Readonly<Record<string, KindRules>>;
  readonly tables: Readonly<Record<string, TableRules>>;
}

/** Every stored built-in resource, in the order of discovery groups, the preferred version first. */
export function builtinResources(parts: Parts): Resource[] {
  return groupRows.flatMap((group) => group.rows.map((row) => resource(group, row, parts)));
}

type Conversion = NonNullable<Resource['convert']>;

const conversions: Readonly<Record<string, Conversion>> = {
  'events.k8s.io/v1/Event': eventConversion,
  'autoscaling/v1/HorizontalPodAutoscaler': autoscalerConversion,
};

/** Versions also differ in which empty values are written: a converted object has the form of its new type. */
const written = ({ toStorage, fromStorage }: Conversion, own: ObjectSchema, kept: ObjectSchema): Conversion => ({
  toStorage: (draft) => normalize(toStorage(draft), kept),
  fromStorage: (draft) => normalize(fromStorage(draft), own),
});

function resource({ group, version }: GroupRows, row: Row, { rules, tables }: Parts): Resource {
  const key = `${group === '' ? '' : `${group}/`}${version}/${row.kind}`;
  const kept = row.storage ?? { name: `${group || 'core'}/${row.plural}`, group, version };
  const verbs = row.verbs ?? allVerbs;
  const own = schema(group, version, row.kind);
  const convert = conversions[key];
  const table = tables[key];
  const selectable = selectableFields[key];
  return {
    group,
    version,
    kind: row.kind,
    plural: row.plural,
    singular: row.kind.toLowerCase(),
    listKind: `${row.kind}List`,
    namespaced: row.scope !== 'Cluster',
    shortNames: row.short ?? [],
    categories: row.categories ?? [],
    verbs,
    storage: kept.name,
    schema: own,
    rules: rulesOf(key, defaultsFor(group, version, row.kind), rules),
    hasStatus: row.status ?? false,
    hasGeneration: row.generation ?? false,
    unconditionalUpdate: !row.conditional,
    ...(convert ? { convert: written(convert, own, schema(kept.group, kept.version, row.kind)) } : {}),
    ...(table ? { table } : {}),
    ...(selectable ? { selectable } : {}),
    ...(row.scale ? { scale: scalePaths } : {}),
    ...(row.more ? { subresources: row.more } : {}),
    ...(row.graceful ? { graceful: true } : {}),
    ...(row.createOnUpdate ? { createOnUpdate: true } : {}),
    ...(verbs.includes('create') ? { storageVersionHash: storageVersionHash(kept.group, kept.version, row.kind) } : {}),
    ...(row.deprecationWarning ? { deprecationWarning: row.deprecationWarning } : {}),
  };
}

function rulesOf(key: string, defaults: KindDefaults | undefined, rules: Parts['rules']): KindRules {
  const own = rules[key] ?? {};
  return defaults ? { ...own, default: (draft) => defaults.apply(draft) } : own;
}

/** Built-in kinds have a selector object at this path, custom resources a string. */
const scalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  labelSelector: '.spec.selector',
};

/** The hash of the storage version in discovery, with which clients detect changes. */
export function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}

export type BuiltinReview = Omit<ReviewResource, 'create'>;

/** Kinds whose create is answered at once, and stores nothing. */
export function builtinReviews(): BuiltinReview[] {
  return [
    review('', 'Binding', 'bindings', true),
    review('authentication.k8s.io', 'SelfSubjectReview', 'selfsubjectreviews', false),
    review('authentication.k8s.io', 'TokenReview', 'tokenreviews', false),
    review('authorization.k8s.io', 'LocalSubjectAccessReview', 'localsubjectaccessreviews', true),
    review('authorization.k8s.io', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', false),
    review('authorization.k8s.io', 'SelfSubjectRulesReview', 'selfsubjectrulesreviews', false),
    review('authorization.k8s.io', 'SubjectAccessReview', 'subjectaccessreviews', false),
  ];
}

const review = (group: string, kind: string, plural: string, namespaced: boolean): BuiltinReview => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced,
  schema: schema(group, 'v1', kind),
});

function schema(group: string, version: string, kind: string): ObjectSchema {
  const name = typeNameOf(group, version, kind);
  if (!name) throw new Error(`the type table lacks ${kind} of ${group}/${version}`);
  return typeNamed(name);
}
