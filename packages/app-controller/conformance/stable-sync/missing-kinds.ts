import type { Application } from '@fairlead/api';
import { apiVersionOf, crdType, type ResourceType } from '@fairlead/apimachinery';
import type { Target } from '../harness/target.ts';

interface MissingKind {
  readonly group: string;
  readonly kind: string;
  readonly versions: Set<string>;
}

/** Defines the kinds that an application expects its cluster to have. */
export async function defineMissingKinds(target: Target, application: Application): Promise<void> {
  const missing = missingKinds(application, await target.kinds());
  for (const kind of missing) await target.destination.create(crdType, definitionOf(kind));
  for (
    let attempts = 0;
    missing.length > 0 && missingKinds(application, await target.kinds()).length > 0;
    attempts += 1
  ) {
    if (attempts > 100) throw new Error(`not served: ${missing.map(({ kind }) => kind).join(', ')}`);
    await target.pass(100);
  }
  // The controller detects new kinds shortly after they are served.
  if (missing.length > 0) await target.pass(2_000);
}

/** Kinds of an application's objects that the cluster does not have and that the application does not define either. */
function missingKinds({ status }: Application, kinds: readonly ResourceType[]): MissingKind[] {
  const served = new Set(kinds.map((type) => `${apiVersionOf(type)}/${type.kind}`));
  const resources = status?.resources ?? [];
  const definitions = resources.filter(({ kind }) => kind === crdType.kind).map(({ name = '' }) => name);
  const defines = (group: string, kind: string): boolean =>
    definitions.some((name) => name.endsWith(`.${group}`) && name.startsWith(kind.toLowerCase().slice(0, -1)));
  const missing = new Map<string, MissingKind>();
  for (const { group = '', version = '', kind = '' } of resources) {
    if (!group.includes('.') || group.endsWith('.k8s.io') || defines(group, kind)) continue;
    if (served.has(`${group}/${version}/${kind}`)) continue;
    const known = missing.get(`${group}/${kind}`) ?? { group, kind, versions: new Set() };
    known.versions.add(version);
    missing.set(`${group}/${kind}`, known);
  }
  return [...missing.values()];
}

/** A definition that accepts every object of the kind: its controller is not part of the application. */
function definitionOf({ group, kind, versions }: MissingKind) {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: crdType.kind,
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      // Not `${kind}List`: an application may have objects of that kind too.
      names: { kind, listKind: `${kind}Items`, singular, plural },
      versions: [...versions].map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      })),
    },
  };
}
