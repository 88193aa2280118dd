import { posix } from 'node:path';
import type { Application, ApplicationSource } from '@fairlead/api';
import { knownAnnotations } from '@fairlead/engine';
import { matchesGlob } from '../glob.ts';
import { sourcesOf } from '../source/desired-state.ts';
import { type Push, shortRef } from './push.ts';

const pathsAnnotation = knownAnnotations.manifestGeneratePaths.name;

/** The repositories of an Application that a push is about, as its sources spell them; none when it is no concern of it. */
export function affectedRepositories(application: Application, push: Push): string[] {
  const places = push.urls.flatMap((url) => placeOf(url) ?? []);
  const concerned = sourcesOf(application.spec).filter(
    (source) =>
      !source.chart &&
      follows(source, push) &&
      places.includes(placeOf(source.repoURL) ?? '') &&
      touches(application, source, push),
  );
  return [...new Set(concerned.map(({ repoURL }) => repoURL))];
}

/**
 * Host and path of a repository, in one form for all ways to write its address. The user, the port and the scheme do not count, nor do the
 * names that hosts give their SSH servers.
 */
export function placeOf(url: string): string | undefined {
  const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/u.exec(url.trim());
  const [host, path] = scp ? [scp[1] ?? '', scp[2] ?? ''] : hostAndPath(url.trim());
  if (host === undefined || path === undefined) return undefined;
  const tidy = path
    .replace(/^\/+|\/+$/gu, '')
    .replace(/\.git$/iu, '')
    .replace(/^v3\//u, '')
    .replace(/\/_git\//u, '/')
    .toLowerCase();
  return tidy === '' ? undefined : `${host.replace(/^(?:alt)?ssh\./iu, '').toLowerCase()}/${tidy}`;
}

function hostAndPath(text: string): [string, string] | [undefined, undefined] {
  if (!URL.canParse(text)) return [undefined, undefined];
  const { hostname, pathname } = new URL(text);
  return [hostname || 'localhost', decodeURI(pathname)];
}

/** Whether a source follows what was pushed to. */
function follows({ targetRevision = '' }: ApplicationSource, { ref, touchedHead }: Push): boolean {
  const target = shortRef(targetRevision);
  if (target === '' || target === 'HEAD') return touchedHead;
  const name = shortRef(ref);
  // A range of versions follows tags: which of them is the newest in it is for the refresh to find out.
  const isRange = /[*^~<>=|]|\.x\b/iu.test(target);
  return target === name || (isRange && !ref.startsWith('refs/heads/'));
}

/** Where the Application names the paths it is made from, a push that touches none of them is ignored. */
function touches({ metadata }: Application, source: ApplicationSource, { files }: Push): boolean {
  const paths = (metadata.annotations?.[pathsAnnotation] ?? '')
    .split(';')
    .map((path) => path.trim())
    .filter((path) => path !== '')
    .map((path) => (path.startsWith('/') ? path : posix.join('/', source.path ?? '', path)))
    .map((path) => posix.normalize(path).replace(/(.)\/$/u, '$1'));
  if (paths.length === 0 || files === undefined) return true;
  return files.some((file) => {
    const at = posix.join('/', file);
    return paths.some((path) => path === '/' || at === path || at.startsWith(`${path}/`) || matchesGlob(path, at, '/'));
  });
}
