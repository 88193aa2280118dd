import { KustomizeError } from '../kustomize-error.ts';
import { isSelected } from '../resource/res-id.ts';

/** A field of objects of a kind. An empty group, version or kind matches all. */
export interface FieldSpec {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly path: string;
  /** Creates missing fields. */
  readonly create?: boolean;
}

/** The fields that refer to objects of this kind. */
export interface NameBackReference {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly fieldSpecs?: readonly FieldSpec[];
}

const gvkOf = ({
  group = '',
  version = '',
  kind = '',
}: Partial<FieldSpec>): { group: string; version: string; kind: string } => ({
  group,
  version,
  kind,
});

/** Adds specs that are not covered yet. Specs that differ only in `create` are an error. */
export function mergeSpecs(specs: readonly FieldSpec[], incoming: readonly FieldSpec[] = []): FieldSpec[] {
  const result = [...specs];
  for (const spec of incoming) {
    const known = result.find((it) => it.path === spec.path && isSelected(gvkOf(it), gvkOf(spec)));
    if (!known) result.push(spec);
    else if ((known.create ?? false) !== (spec.create ?? false)) throw new KustomizeError('conflicting fieldspecs');
  }
  return result;
}

export function mergeReferences(
  references: readonly NameBackReference[],
  incoming: readonly NameBackReference[] = [],
): NameBackReference[] {
  let result = [...references];
  for (const other of incoming) {
    const same = (it: NameBackReference): boolean =>
      (it.kind ?? '') === (other.kind ?? '') &&
      (it.group ?? '') === (other.group ?? '') &&
      (it.version ?? '') === (other.version ?? '');
    if (!result.some(same)) result.push(other);
    else
      result = result.map((it) =>
        same(it) ? { ...it, fieldSpecs: mergeSpecs(it.fieldSpecs ?? [], other.fieldSpecs) } : it,
      );
  }
  return result;
}
