/**
 * The registry that a reference begins with, as Docker decides it: what stands before the first `/` is a host only if it has a dot, a
 * port or capitals, or is `localhost`; `team/app` is a name on the default registry.
 */
export function splitDomain(image: string): { domain: string; rest: string } {
  const slash = image.indexOf('/');
  if (slash < 0) return { domain: '', rest: image };
  const first = image.slice(0, slash);
  const isHost = /[.:]/u.test(first) || first === 'localhost' || first !== first.toLowerCase();
  return isHost && first !== '' ? { domain: first, rest: image.slice(slash + 1) } : { domain: '', rest: image };
}

/** Whether a name in a values file begins with a registry: only a dot says so there, for `localhost:5000/x` is nobody's release. */
export function hasRegistryPrefix(name: string): boolean {
  const slash = name.indexOf('/');
  return slash >= 0 && name.slice(0, slash).includes('.');
}

/** The name without the registry that it begins with. */
export const shortForm = (name: string): string => (hasRegistryPrefix(name) ? name.slice(name.indexOf('/') + 1) : name);
