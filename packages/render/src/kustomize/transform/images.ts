import { splitImageReference } from '@fairlead/apimachinery/primitives';
import type { FieldSpec } from '../config/field-spec.ts';
import { goRegExp } from '../go-reg-exp.ts';
import { demandKind, field, setScalar } from '../node/fields.ts';
import { isPresent, type Node, scalar } from '../node/node.ts';
import type { ResMap } from '../resource/res-map.ts';
import { applyFieldSpecs } from './field-spec-filter.ts';

export interface Image {
  readonly name?: string;
  readonly newName?: string;
  readonly tagSuffix?: string;
  readonly newTag?: string;
  readonly digest?: string;
}

/** Changes image references in all `containers` and `initContainers`, and in the fields of the specs. */
export function setImage(map: ResMap, image: Image, specs: readonly FieldSpec[]): void {
  const matches = goRegExp(`^${image.name ?? ''}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`);
  const set = (node: Node): void => {
    demandKind(node, 'scalar');
    if (matches(node.value)) setScalar(node, scalar(newReference(node.value, image)));
  };
  const resources = map.resources.filter(({ kind }) => kind !== 'CustomResourceDefinition');
  for (const resource of resources) if (resource.node) visitContainers(resource.node, set);
  for (const resource of resources) applyFieldSpecs(resource, specs, { set });
}

function visitContainers(node: Node, set: (node: Node) => void): void {
  for (const item of node.items) visitContainers(item, set);
  for (const { key, value } of node.entries) {
    visitContainers(value, set);
    if ((key.value !== 'containers' && key.value !== 'initContainers') || value.kind !== 'sequence') continue;
    for (const container of value.items) {
      if (!isPresent(container)) continue;
      demandKind(container, 'map');
      const reference = field(container, 'image');
      if (reference) set(reference);
    }
  }
}

function newReference(reference: string, image: Image): string {
  const old = splitImage(reference);
  const name = image.newName || old.name;
  let { tag, digest } = old;
  if (image.newTag || image.digest) {
    tag = image.newTag ?? '';
    digest = image.digest ?? '';
  } else if (image.tagSuffix) {
    tag += image.tagSuffix;
    digest = '';
  }
  return `${name}${tag && `:${tag}`}${digest && `@${digest}`}`;
}

/** The name includes the registry. A missing tag or digest is empty. */
export function splitImage(reference: string): { name: string; tag: string; digest: string } {
  const { domain, path, tag = '', digest = '' } = splitImageReference(reference);
  return { name: domain === '' ? path : `${domain}/${path}`, tag, digest };
}
