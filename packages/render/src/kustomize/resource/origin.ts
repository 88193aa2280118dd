import { readYaml } from '../../go-yaml/read-yaml.ts';
import { Node, text } from '../node/node.ts';
import { nodeText } from '../node/node-text.ts';
import { jsonNode } from '../node/node-value.ts';
import * as build from './annotations.ts';
import type { Resource } from './resource.ts';

/** The origin of an object, or of a change to it. */
export interface Origin {
  readonly path?: string;
  readonly repo?: string;
  readonly ref?: string;
  readonly configuredIn?: string;
  readonly configuredBy?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
  };
}

const names = ['path', 'repo', 'ref', 'configuredIn'] as const;
const identifierNames = ['apiVersion', 'kind', 'name', 'namespace'] as const;

function originNode(origin: Origin): Node {
  const node = new Node('map');
  const add = (to: Node, name: string, value: Node): void => void to.entries.push({ key: text(name), value });
  for (const name of names) if (origin[name]) add(node, name, jsonNode(origin[name]));
  const by = new Node('map');
  for (const name of identifierNames)
    if (origin.configuredBy?.[name]) add(by, name, jsonNode(origin.configuredBy[name]));
  if (by.entries.length > 0) add(node, 'configuredBy', by);
  return node;
}

export const originText = (origin: Origin): string => nodeText(originNode(origin));

function originOf(resource: Resource): Origin | undefined {
  const annotation = resource.annotation(build.origin);
  return annotation === undefined ? undefined : ((readYaml(annotation) ?? {}) as Origin);
}

export function setOrigin(resource: Resource, origin: Origin): void {
  resource.annotations = resource.annotations.set(build.origin, originText(origin));
}

/** Records that a transformer changed an object. An object without an origin gets the transformer's. */
export function noteTransformation(resource: Resource, origin: Origin): void {
  if (resource.annotation(build.origin) === undefined) return setOrigin(resource, origin);
  const known = readYaml(resource.annotation(build.transformations) ?? '') as Origin[] | null;
  const list = new Node('sequence');
  list.items = [...(known ?? []), origin].map(originNode);
  resource.annotations = resource.annotations.set(build.transformations, nodeText(list));
}

/** The origin of objects that a plugin generates or changes. */
export function pluginOrigin(config: Resource): Origin | undefined {
  const origin = originOf(config);
  if (!origin) return undefined;
  const { repo, ref, path } = origin;
  return {
    ...(repo ? { repo } : {}),
    ...(ref ? { ref } : {}),
    ...(path ? { configuredIn: path } : {}),
    configuredBy: {
      apiVersion: config.apiVersion,
      kind: config.kind,
      name: config.name,
      namespace: config.namespace,
    },
  };
}
