export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/** In the domain of Kubernetes itself; a name without a domain is. */
export const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** Huge pages and extended resources cannot be overcommitted. */
export const mayOvercommit = (name: string): boolean => isNative(name) && !isHugePages(name);

/** Whether a pod as a whole can request the resource, not only one of its containers. */
export const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);
