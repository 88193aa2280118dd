export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/** Whether it is in the domain of Kubernetes itself, as is a name without a domain. */
export const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** Huge pages and extended resources cannot be overcommitted. */
export const mayOvercommit = (name: string): boolean => isNative(name) && !isHugePages(name);

/** Whether a pod as a whole can request the resource, not only one of its containers. */
export const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);
