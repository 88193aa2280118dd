import { readYaml } from '../../go-yaml/read-yaml.ts';
import { KustomizeError } from '../kustomize-error.ts';
import type { MergeSchema, SchemaLookup } from './merge-schema.ts';

interface OpenApiNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: OpenApiNode;
  readonly properties?: Readonly<Record<string, OpenApiNode>>;
  readonly additionalProperties?: OpenApiNode | boolean;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly { group?: string; version: string; kind: string }[];
}

/** The types of a kustomization's OpenAPI file, which replace the built-in ones. */
export function openApiSchema(text: string): SchemaLookup {
  const document = readYaml(text) as { definitions?: Record<string, OpenApiNode> } | null;
  if (typeof document !== 'object' || document === null) throw new KustomizeError('invalid schema file: no object');
  const definitions = document.definitions ?? {};
  const byKind = new Map<string, MergeSchema>();
  for (const definition of Object.values(definitions)) {
    if (!definition) continue;
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? [])
      byKind.set(`${group ? `${group}/` : ''}${version} ${kind}`, schemaOf(definition, definitions));
  }
  return (apiVersion, kind) => byKind.get(`${apiVersion} ${kind}`);
}

function schemaOf(node: OpenApiNode, definitions: Readonly<Record<string, OpenApiNode>>): MergeSchema {
  const follow = (target: OpenApiNode | undefined): MergeSchema | undefined => {
    let at = target;
    for (let hops = 0; at?.$ref !== undefined; hops++) {
      if (hops > 100) return undefined;
      at = definitions[at.$ref.replace(/^#\/definitions\//u, '')];
    }
    return at && schemaOf(at, definitions);
  };
  const additional = node.additionalProperties;
  return {
    field: (name) => follow(node.properties?.[name] ?? (typeof additional === 'object' ? additional : undefined)),
    elements: () => (typeOf(node) === 'array' ? follow(node.items) : undefined),
    mergeKeys: mergeKeysOf(node),
  };
}

const typeOf = ({ type }: OpenApiNode): string | undefined =>
  typeof type === 'string' ? type : type?.length === 1 ? type[0] : undefined;

function mergeKeysOf(node: OpenApiNode): readonly string[] | undefined {
  if (!node['x-kubernetes-patch-strategy']?.split(',').includes('merge')) return undefined;
  const key = node['x-kubernetes-patch-merge-key'];
  return node['x-kubernetes-list-map-keys'] ?? (key === undefined ? [] : [key]);
}
