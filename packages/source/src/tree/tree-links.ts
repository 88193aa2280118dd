import { normalizePath, parentPath, RenderError } from '@fairlead/render';

export const maxLinks = 16;

/** The path that a link points to, followed by the rest of the path. A link that leaves the tree is refused. */
export function followLink(link: string, target: string, rest: readonly string[] = []): string {
  try {
    if (target.startsWith('/')) return normalizePath(target);
    return normalizePath([parentPath(link), target, ...rest].filter((part) => part !== '').join('/'));
  } catch {
    throw new RenderError('PathOutsideTree', `${link} is a link to ${target}, which is outside the repository`);
  }
}
