import { textAt } from '@fairlead/apimachinery/json-at';
import { resourceId } from '../../api/read-tree.ts';
import { yamlText } from '../../lib/yaml-text.ts';

export interface ManifestChange {
  readonly id: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** As YAML; empty if it was added. */
  readonly from: string;
  /** As YAML; empty if it was removed. */
  readonly to: string;
}

const idOf = (manifest: unknown): string =>
  resourceId({
    group: textAt(manifest, 'apiVersion').replace(/\/?[^/]*$/u, ''),
    kind: textAt(manifest, 'kind'),
    namespace: textAt(manifest, 'metadata', 'namespace'),
    name: textAt(manifest, 'metadata', 'name'),
  });

/** What is different between the manifests of two revisions. */
export function compareManifests(from: readonly unknown[], to: readonly unknown[]): readonly ManifestChange[] {
  const [before, after] = [from, to].map((list) => new Map(list.map((manifest) => [idOf(manifest), manifest])));
  const ids = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])].sort();
  return ids.flatMap((id) => {
    const [old, next] = [before?.get(id), after?.get(id)];
    const [fromText, toText] = [old, next].map((manifest) => (manifest === undefined ? '' : yamlText(manifest)));
    if (fromText === toText) return [];
    const shown = next ?? old;
    return [
      {
        id,
        kind: textAt(shown, 'kind'),
        namespace: textAt(shown, 'metadata', 'namespace'),
        name: textAt(shown, 'metadata', 'name'),
        change: old === undefined ? 'added' : next === undefined ? 'removed' : 'changed',
        from: fromText ?? '',
        to: toText ?? '',
      } as const,
    ];
  });
}
