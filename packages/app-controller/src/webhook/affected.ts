import { posix } from 'node:path';
import type { Application, ApplicationSource } from '@fairlead/api';
import { parseRepositoryUrl, repositoryLocation } from '@fairlead/apimachinery';
import { knownAnnotations } from '@fairlead/engine';
import { matchesGlob } from '../glob.ts';
import { sourcesOf } from '../source/desired-state.ts';
import { type Push, shortRef } from './push.ts';

const pathsAnnotation = knownAnnotations.manifestGeneratePaths.name;

/** The repositories of an Application that a push affects, as written in its sources; empty if it is not affected. */
export function affectedRepositories(application: Application, push: Push): string[] {
  const locations = locationsOf(push);
  const concerned = sourcesOf(application.spec).filter(
    (source) =>
      follows(source, push) &&
      locations.includes(locationFollowed(source) ?? '') &&
      (push.isArtifact || touches(application, source, push)),
  );
  return [...new Set(concerned.map(({ repoURL }) => repoURL))];
}

/** Whether a push changes what a revision of a repository is. */
export const isPushedTo = (source: Pick<ApplicationSource, 'repoURL' | 'targetRevision'>, push: Push): boolean =>
  follows(source, push) && locationsOf(push).includes(locationOf(source.repoURL) ?? '');

/** Host and path of a repository, in one form for all spellings of its address; undefined if the address does not parse. */
export function locationOf(address: string): string | undefined {
  const { url } = parseRepositoryUrl(address);
  return url && repositoryLocation(url);
}

/** The repositories that a push names. */
export const locationsOf = ({ urls }: Push): string[] => [...new Set(urls.flatMap((url) => locationOf(url) ?? []))];

/** The repositories of an Application that a push can affect: the values of an index. */
export const locationsFollowed = ({ spec }: Application): string[] =>
  sourcesOf(spec).flatMap((source) => locationFollowed(source) ?? []);

/** A chart in a registry is an artifact below its address; one in a chart repository is not pushed to. */
function locationFollowed({ repoURL, chart }: ApplicationSource): string | undefined {
  if (!chart) return locationOf(repoURL);
  const [, scheme = 'oci', address = ''] = /^(?:([a-z][\w+.-]*):\/\/)?(.*?)\/*$/isu.exec(repoURL.trim()) ?? [];
  return scheme.toLowerCase() === 'oci' ? locationOf(`oci://${address}/${chart}`) : undefined;
}

/** Whether a source follows the pushed ref. */
function follows(
  { targetRevision = '' }: Pick<ApplicationSource, 'targetRevision'>,
  { ref, everyRef, touchedHead }: Push,
): boolean {
  if (everyRef) return true;
  const target = shortRef(targetRevision);
  if (target === '' || target === 'HEAD') return touchedHead;
  const name = shortRef(ref);
  // A range of versions follows tags: the refresh determines the newest one in it.
  const isRange = /[*^~<>=|]|\.x\b/iu.test(target);
  return target === name || (isRange && !ref.startsWith('refs/heads/'));
}

/** If the Application has manifest-generate-paths, a push that changes none of them is ignored. */
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
