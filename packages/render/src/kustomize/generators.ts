import { Buffer } from 'node:buffer';
import { trimSpaceLeft } from '../go-template/go-space.ts';
import type { GeneratorArgs, GeneratorOptions, Texts } from './config/kustomization.ts';
import { KustomizeError, withinAsync } from './kustomize-error.ts';
import type { Loader } from './loader.ts';
import { setField } from './node/fields.ts';
import { lookupCreate, mapAt } from './node/lookup.ts';
import { Node, text } from './node/node.ts';
import { generatorBehavior, needsHashSuffix } from './resource/annotations.ts';
import { setData } from './resource/merge-data.ts';
import { Resource } from './resource/resource.ts';
import { sortedEntries } from './sorted-entries.ts';

/** A ConfigMap or Secret from files, env files and literals. */
export async function generate(loader: Loader, kind: 'ConfigMap' | 'Secret', args: GeneratorArgs): Promise<Resource> {
  const { name = '', namespace = '', options } = args;
  if (name === '') throw new KustomizeError('a configmap must have a name');
  const root = new Node('map', '!!map');
  const resource = new Resource(root);
  setField(root, 'apiVersion', new Node('scalar', '!!str', 'v1'));
  setField(root, 'kind', new Node('scalar', '!!str', kind));
  resource.name = name;
  if (namespace !== '') resource.namespace = namespace;
  if (kind === 'Secret') setField(root, 'type', text(args.type || 'Opaque'));
  const data = await withinAsync('loading KV pairs', () => loadPairs(loader, args));
  if (kind === 'Secret') fillSecret(root, data);
  else fillConfigMap(root, data);
  applyOptions(resource, options);
  if (!options?.disableNameSuffixHash) resource.enable(needsHashSuffix);
  const { behavior: given = '' } = args;
  const behavior = ['create', 'merge', 'replace'].includes(given) ? given : 'unspecified';
  resource.annotations = resource.annotations.set(generatorBehavior, behavior);
  return resource;
}

function fillConfigMap(root: Node, data: ReadonlyMap<string, Uint8Array>): void {
  for (const [key, content] of sortedEntries(data)) {
    const decoded = asText(content);
    if (decoded === undefined) setData(root, 'binaryData', key, base64Lines(content));
    else setData(root, 'data', key, decoded);
  }
}

function fillSecret(root: Node, data: ReadonlyMap<string, Uint8Array>): void {
  lookupCreate(root, ['data'], 'map');
  for (const [key, content] of sortedEntries(data)) setData(root, 'data', key, base64Lines(content));
}

function asText(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

/** Long content is split into lines of 70 characters. */
function base64Lines(content: Uint8Array): string {
  const encoded = Buffer.from(content).toString('base64');
  return encoded.length < 70 ? encoded : encoded.replace(/.{1,70}/gu, '$&\n');
}

function applyOptions(resource: Resource, options: GeneratorOptions | undefined): void {
  if (!options) return;
  for (const [name, entries] of [
    ['labels', options.labels],
    ['annotations', options.annotations],
  ] as const) {
    for (const [key, value] of sortedEntries(entries ?? new Map()))
      setField(mapAt(resource.root, 'metadata', name), key, text(value));
  }
  if (options.immutable) setField(resource.root, 'immutable', new Node('scalar', '!!bool', 'true'));
}

/** A generator's options over those of the kustomization. */
export function withGlobalOptions(
  local: GeneratorOptions | undefined,
  global: GeneratorOptions | undefined,
): GeneratorOptions | undefined {
  if (!global) return local;
  const both = (a: Texts | undefined, b: Texts | undefined): Texts => new Map([...(b ?? []), ...(a ?? [])]);
  return {
    labels: both(local?.labels, global.labels),
    annotations: both(local?.annotations, global.annotations),
    disableNameSuffixHash: (local?.disableNameSuffixHash || global.disableNameSuffixHash) ?? false,
    immutable: (local?.immutable || global.immutable) ?? false,
  };
}

async function loadPairs(loader: Loader, args: GeneratorArgs): Promise<Map<string, Uint8Array>> {
  const pairs = new Map<string, Uint8Array>();
  const add = (key: string, value: Uint8Array | string): void => {
    if (pairs.has(key)) throw new KustomizeError(`configmap ${args.name} illegally repeats the key \`${key}\``);
    pairs.set(key, typeof value === 'string' ? Buffer.from(value) : value);
  };
  const { envs = [], literals = [], files = [] } = args;
  await withinAsync(`env source files: [${envs.join(' ')}]`, async () => {
    for (const path of envs) for (const [key, value] of envPairs(await loader.load(path))) add(key, value);
  });
  await withinAsync(`literal sources [${literals.join(' ')}]`, async () => {
    for (const literal of literals) add(...literalPair(literal));
  });
  await withinAsync(`file sources: [${files.join(' ')}]`, async () => {
    for (const source of files) {
      const [key, path] = fileSource(source);
      add(key, await loader.load(path));
    }
  });
  return pairs;
}

function envPairs(content: Uint8Array): [string, string][] {
  const decoded = asText(content);
  if (decoded === undefined) throw new KustomizeError('an env file has invalid utf8 bytes');
  const pairs: [string, string][] = [];
  for (const raw of decoded.replace(/^\ufeff/u, '').split('\n')) {
    const line = trimSpaceLeft(raw.replace(/\r$/u, ''));
    if (line === '' || line.startsWith('#')) continue;
    const equals = line.indexOf('=');
    pairs.push(equals < 0 ? [line, ''] : [line.slice(0, equals), line.slice(equals + 1)]);
  }
  return pairs.filter(([key]) => key !== '');
}

function literalPair(literal: string): [string, string] {
  const equals = literal.indexOf('=');
  if (equals <= 0) throw new KustomizeError(`invalid literal source ${literal}, expected key=value`);
  const value = literal.slice(equals + 1);
  const quoted = value.length >= 2 && value[0] === value.at(-1) && (value[0] === '"' || value[0] === "'");
  return [literal.slice(0, equals), quoted ? value.slice(1, -1) : value];
}

function fileSource(source: string): [key: string, path: string] {
  const parts = source.split('=');
  if (parts.length === 1) return [source.slice(source.lastIndexOf('/') + 1), source];
  const [key = '', path = ''] = parts;
  if (parts.length > 2) throw new KustomizeError(`source "${source}" key name or file path contains '='`);
  if (key === '') throw new KustomizeError(`missing key name for file path "${path}" in source "${source}"`);
  if (path === '') throw new KustomizeError(`missing file path for key name "${key}" in source "${source}"`);
  return [key, path];
}
