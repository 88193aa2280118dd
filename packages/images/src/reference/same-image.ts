import type { ImageReference } from './image-reference.ts';

type Named = Pick<ImageReference, 'registry' | 'name'>;

/** The one form of a name: `nginx`, `library/nginx` and `docker.io/library/nginx` are the same image. */
export function canonical({ registry, name }: Named): { registry: string; repository: string } {
  const host =
    registry === '' || registry === 'index.docker.io' || registry === 'registry-1.docker.io'
      ? 'docker.io'
      : registry.toLowerCase();
  if (host !== 'docker.io') return { registry: host, repository: name };
  return { registry: host, repository: name.includes('/') ? name : `library/${name}` };
}

export function canonicalName(image: Named): string {
  const { registry, repository } = canonical(image);
  return `${registry}/${repository}`;
}

export const sameImage = (a: Named, b: Named): boolean => canonicalName(a) === canonicalName(b);

/** As they are written: another spelling of the registry differs, and so does another tag where versions are asked for. */
export const differs = (a: ImageReference, b: ImageReference, checkVersion: boolean): boolean =>
  a.registry !== b.registry || a.name !== b.name || (checkVersion && (a.tag ?? '') !== (b.tag ?? ''));
