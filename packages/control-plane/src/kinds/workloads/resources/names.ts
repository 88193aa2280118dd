import { isHugePages, isNative, qualifiedName } from '@fairlead/apimachinery';

export const isExtended = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;

const compute = ['cpu', 'memory', 'ephemeral-storage'];
const counted = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const standard = new Set([
  ...compute,
  ...compute.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...counted,
  'storage',
  'requests.storage',
]);

export const isStandard = (name: string): boolean =>
  standard.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');

export const isInteger = (name: string): boolean => counted.includes(name) || isExtended(name);

export function containerResourceName(name: string): string[] {
  const messages = resourceName(name);
  if (!name.includes('/')) {
    if (!compute.includes(name) && !isHugePages(name)) messages.push('must be a standard resource for containers');
  } else if (!isNative(name) && !isExtended(name)) messages.push("doesn't follow extended resource name standard");
  return messages;
}

export function resourceName(name: string): string[] {
  const messages = qualifiedName(name);
  if (messages.length === 0 && !name.includes('/') && !isStandard(name)) {
    messages.push('must be a standard resource type or fully qualified');
  }
  return messages;
}
