import type { Subresource } from '../resource.ts';

/** The properties of a built-in resource; the others have defaults or follow from these. */
export interface Row {
  readonly plural: string;
  readonly kind: string;
  readonly short?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope?: 'Cluster';
  readonly verbs?: readonly string[];
  readonly status?: true;
  readonly scale?: true;
  readonly more?: readonly Subresource[];
  /** `metadata.generation` is maintained. */
  readonly generation?: true;
  readonly graceful?: true;
  readonly createOnUpdate?: true;
  /** PUT needs a resourceVersion. */
  readonly conditional?: true;
  /** The storage name if it is not group/plural, and the storage version. */
  readonly storage?: { readonly name: string; readonly group: string; readonly version: string };
  readonly deprecationWarning?: string;
}

export interface GroupRows {
  readonly group: string;
  readonly version: string;
  readonly rows: readonly Row[];
}

export const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;
export const readAndChange = ['get', 'patch', 'update'] as const;
const everyMethod = ['create', 'delete', 'get', 'patch', 'update'] as const;

export const proxy = (kind: string): Subresource => ({ name: 'proxy', kind, verbs: everyMethod });
export const stream = (name: string, kind: string): Subresource => ({ name, kind, verbs: ['create', 'get'] });
