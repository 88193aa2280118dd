import {
  apiVersionOf,
  find,
  isAlreadyExists,
  type Json,
  type KubeObject,
  type ResourceType,
} from '@fairlead/apimachinery';
import { same } from '../../kinds/workloads/equality.ts';
import { revisionType } from '../resource-types.ts';
import type { ControllerRevision, PodTemplate } from './kinds.ts';
import type { Writer } from './own-writes.ts';
import { controllerReference } from './owners.ts';
import { revisionHash } from './template-hash.ts';

const longestPrefix = 223;

export const byRevision = (a: ControllerRevision, b: ControllerRevision): number =>
  a.revision - b.revision || compareText(stampOf(a), stampOf(b)) || compareText(a.metadata.name, b.metadata.name);

const stampOf = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? '';
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The content of a revision: a strategic merge patch that restores the template. */
export const templatePatch = (template: PodTemplate): NonNullable<ControllerRevision['data']> => ({
  spec: { template: { ...(template as unknown as Record<string, Json>), $patch: 'replace' } },
});

export function templateIn(revision: ControllerRevision): PodTemplate {
  const spec = revision.data?.['spec'] as { template?: Record<string, Json> } | undefined;
  const { $patch: _, ...template } = spec?.template ?? {};
  return template as unknown as PodTemplate;
}

export interface NewRevision {
  readonly type: ResourceType;
  readonly owner: KubeObject;
  readonly template: PodTemplate;
  /** The label of the hash on the revision. */
  readonly hashLabel: string;
  readonly revision: number;
}

export function makeRevision(desired: NewRevision, collisions: number): ControllerRevision {
  const { type, owner, template, hashLabel, revision } = desired;
  const data = templatePatch(template);
  const hash = revisionHash(data, collisions);
  const { annotations } = owner.metadata;
  return {
    apiVersion: apiVersionOf(revisionType),
    kind: revisionType.kind,
    metadata: {
      name: `${owner.metadata.name.slice(0, longestPrefix)}-${hash}`,
      namespace: owner.metadata.namespace ?? '',
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
      ...(annotations ? { annotations } : {}),
      ownerReferences: [controllerReference(type, owner)],
    },
    data,
    revision,
  };
}

export const sameData = (a: ControllerRevision, b: Pick<ControllerRevision, 'data'>): boolean => same(a.data, b.data);

/** Creates it with a free name; the collision count is part of the hash. */
export async function createRevision(
  client: Writer,
  desired: NewRevision,
  collisionsBefore: number,
): Promise<{ readonly revision: ControllerRevision; readonly collisions: number }> {
  for (let collisions = collisionsBefore; ; collisions += 1) {
    const revision = makeRevision(desired, collisions);
    try {
      return { revision: await client.create(revisionType, revision), collisions };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const present = await client.get<ControllerRevision>(revisionType, revision.metadata);
      if (sameData(present, revision)) return { revision: present, collisions };
    }
  }
}

export async function deleteRevision(client: Writer, { metadata }: ControllerRevision): Promise<void> {
  await find(client.delete(revisionType, metadata));
}
