import { fieldError, qualifiedName } from '@fairlead/apimachinery';
import { type Findings, invalid, unsupported } from '../checks.ts';
import { isZeroQuantity } from '../resources/resource-list.ts';
import type { FieldRef, ResourceFieldRef } from './types.ts';

/** Pod fields that a container can read, as variables and as files. */
export const envFieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
export const fileFieldPaths = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
const knownFieldPaths = new Set([
  ...envFieldPaths,
  ...fileFieldPaths,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
  'spec.host',
]);

export function* fieldReference(ref: FieldRef, supported: readonly string[], path: string): Findings {
  if (!ref.apiVersion) return yield fieldError.required(`${path}.apiVersion`);
  if (!ref.fieldPath) return yield fieldError.required(`${path}.fieldPath`);
  const cannotConvert = (why: string) =>
    fieldError.invalid(`${path}.fieldPath`, ref.fieldPath, `error converting fieldPath: ${why}`);
  if (ref.apiVersion !== 'v1') return yield cannotConvert(`unsupported pod version: ${ref.apiVersion}`);

  const subscript = /^(.+?)\['(.*)'\]$/s.exec(ref.fieldPath);
  if (subscript) {
    const [, map, key = ''] = subscript;
    if (map === 'metadata.annotations') {
      yield* invalid(path, key.toLowerCase(), qualifiedName(key.toLowerCase()));
    } else if (map === 'metadata.labels') yield* invalid(path, key, qualifiedName(key));
    else yield cannotConvert(`field label does not support subscript: ${ref.fieldPath}`);
    return;
  }
  if (!knownFieldPaths.has(ref.fieldPath)) return yield cannotConvert(`field label not supported: ${ref.fieldPath}`);
  const current = ref.fieldPath === 'spec.host' ? 'spec.nodeName' : ref.fieldPath;
  if (!supported.includes(current)) yield unsupported(`${path}.fieldPath`, current, [...supported].sort());
}

const resources = ['cpu', 'ephemeral-storage', 'memory'];
const resourceFields = ['limits', 'requests'].flatMap((part) => resources.map((name) => `${part}.${name}`));
const hugePages = /^(limits|requests)\.hugepages-/;

export function* resourceReference(ref: ResourceFieldRef, inFile: boolean, path: string): Findings {
  const resource = ref.resource ?? '';
  if (inFile && !ref.containerName) yield fieldError.required(`${path}.containerName`);
  else if (!resource) yield fieldError.required(`${path}.resource`);
  else if (!resourceFields.includes(resource) && !hugePages.test(resource)) {
    yield unsupported(`${path}.resource`, resource, resourceFields);
  }
  yield* divisor(resource, ref.divisor, `${path}.divisor`);
}

const bytes = ['1', ...'kMGTPE'.split('').map((unit) => `1${unit}`), ...'KMGTPE'.split('').map((unit) => `1${unit}i`)];
const byteDivisors: Record<string, string> = { memory: 'memory', 'ephemeral-storage': 'local ephemeral storage' };

function* divisor(resource: string, value: string | undefined, path: string): Findings {
  if (value === undefined || isZeroQuantity(value)) return;
  const name = resource.slice(resource.indexOf('.') + 1);
  if (name === 'cpu') {
    if (value !== '1m' && value !== '1') {
      yield fieldError.invalid(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource");
    }
    return;
  }
  const words = hugePages.test(resource) ? 'hugepages' : resourceFields.includes(resource) && byteDivisors[name];
  if (words && !bytes.includes(value)) {
    const detail = `only divisor's values ${bytes.join(', ')} are supported with the ${words} resource`;
    yield fieldError.invalid(path, resource, detail);
  }
}
