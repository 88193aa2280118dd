import { readYaml } from '../../go-yaml/read-yaml.ts';
import { decode, list, struct } from '../config/decode.ts';
import { selectorType } from '../config/kustomization.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { demandKind, setScalar } from '../node/fields.ts';
import { lookupCreate } from '../node/lookup.ts';
import { scalar } from '../node/node.ts';
import { splitPath } from '../node/path.ts';
import type { Resource } from '../resource/resource.ts';
import { type Selector, selectResources } from '../resource/selector.ts';
import type { Transformer, TransformerContext } from '../transformer.ts';
import { namespaceResource } from './namespace.ts';

interface Target {
  readonly selector?: Selector;
  readonly fieldPath?: string;
  readonly filePathPosition?: number;
}

export interface ValueAdd {
  readonly value?: string;
  readonly targets?: readonly Target[];
  readonly targetFilePath?: string;
}

export const targetListType = list(
  struct('Target', { selector: selectorType, fieldPath: 'string', filePathPosition: 'int' }),
);

/** Writes a value, by default the name of the folder, to fields or to one part of the file paths in them. */
export async function valueAddTransformer({ loader }: TransformerContext, config: ValueAdd): Promise<Transformer> {
  const value = (config.value ?? '').trim() || (loader.root.split('/').at(-1) ?? '');
  const targets = [...(config.targets ?? [])];
  if (config.targetFilePath) {
    const type = struct('Targets', { targets: targetListType });
    const file = decode(readYaml(await loader.loadText(config.targetFilePath)), type, {
      unknown: 'ignore',
      coerce: true,
    });
    targets.push(...(file?.targets ?? []));
  }
  if (targets.length === 0) throw new KustomizeError('must specify at least one target');
  for (const { fieldPath, filePathPosition = 0 } of targets) {
    if (!fieldPath) throw new KustomizeError('fieldPath cannot be empty');
    if (filePathPosition < 0)
      throw new KustomizeError(`value of FilePathPosition (${filePathPosition}) cannot be negative`);
  }
  return {
    run(map) {
      for (const target of targets) {
        const resources = target.selector ? selectResources(map.resources, target.selector) : map.resources;
        for (const resource of resources) addValue(resource, value, target);
      }
    },
  };
}

function addValue(resource: Resource, value: string, { fieldPath = '', filePathPosition = 0 }: Target): void {
  if (fieldPath === 'metadata/namespace') return namespaceResource(resource, { namespace: value, fieldSpecs: [] });
  const node = lookupCreate(resource.root, splitPath(`/${fieldPath}`, '/'), 'scalar');
  if (!node) return;
  demandKind(node, 'scalar');
  setScalar(node, scalar(filePathPosition > 0 ? insertPart(node.value, filePathPosition - 1, value) : value));
}

/** Inserts a part into a file path, at most at its end. */
function insertPart(path: string, position: number, part: string): string {
  const parts = path.split('/').filter((it) => it !== '');
  parts.splice(Math.min(position, parts.length), 0, part);
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
}
