import { normalizePath, parentPath, RenderError } from '@fairlead/render';

export const maxLinks = 16;

/** The path that a link stands for, with what was to follow behind it. A link that leads out of the tree is refused. */
export function followLink(link: string, target: string, rest: readonly string[] = []): string {
  try {
    if (target.startsWith('/')) return normalizePath(target);
    return normalizePath([parentPath(link), target, ...rest].filter((part) => part !== '').join('/'));
  } catch {
    throw new RenderError('PathOutsideTree', `${link} is a link to ${target}, which is outside the repository`);
  }
}
