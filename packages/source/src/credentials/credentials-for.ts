import { parseRepositoryUrl } from '@fairlead/apimachinery';
import { authenticates, type RepositoryCredentials } from './credentials.ts';

/** An entry stored by an administrator: for one repository, or (`repo-creds`) for all whose URL starts with its own. */
export interface StoredCredentials extends RepositoryCredentials {
  readonly kind: 'repository' | 'repo-creds';
  readonly url: string;
  /** The only project that may use it. */
  readonly project?: string;
  /** The name of the repository, as `@name` in the dependencies of a chart. */
  readonly title?: string;
}

/**
 * The credentials for a URL: the entry for exactly this repository, completed from the template with the longest matching prefix.
 * `permits` selects the entries that the project may use; an entry of a project takes precedence over one for all.
 *
 * A prefix ends at a path segment: `https://git.example.com/team` covers neither `…/team-b` nor `https://git.example.com.evil.org`.
 */
export function credentialsFor(
  url: string,
  known: readonly StoredCredentials[],
  permits: (entry: StoredCredentials) => boolean = () => true,
): RepositoryCredentials | undefined {
  const requestedUrl = comparable(url);
  const usable = known.filter(permits);
  const own = best(
    usable.filter((entry) => entry.kind === 'repository' && isSame(comparable(entry.url), requestedUrl)),
  );
  if (own && authenticates(own)) return withoutAddress(own);
  const template = templateFor(url, usable);
  if (!template) return own && withoutAddress(own);
  const inherited = withoutAddress(template);
  if (!own) return inherited;
  const { secret } = authenticates(template) ? template : own;
  const merged = { ...inherited, ...withoutAddress(own), name: `${own.name}+${template.name}` };
  return secret === undefined ? merged : { ...merged, secret };
}

/** The entry for all repositories below a URL whose URL covers most of this one. */
export function templateFor(url: string, known: readonly StoredCredentials[]): StoredCredentials | undefined {
  const requestedUrl = comparable(url);
  return best(known.filter((entry) => entry.kind === 'repo-creds' && covers(comparable(entry.url), requestedUrl)));
}

/** The address of the repository with this name; one of a project takes precedence over one for all. */
export function repositoryTitled(
  title: string,
  known: readonly StoredCredentials[],
  permits: (entry: StoredCredentials) => boolean = () => true,
): string | undefined {
  return best(known.filter((entry) => entry.kind === 'repository' && entry.title === title && permits(entry)))?.url;
}

/** The longest URL, then the entry of a project, then the first by name: independent of the order of storage. */
function best(entries: readonly StoredCredentials[]): StoredCredentials | undefined {
  return entries.toSorted(
    (a, b) =>
      comparable(b.url).length - comparable(a.url).length ||
      Number(Boolean(b.project)) - Number(Boolean(a.project)) ||
      (a.name < b.name ? -1 : 1),
  )[0];
}

/**
 * The parts of an address that credentials are matched by: scheme, host, port and path, and the user of SSH. Registries are often written
 * without `oci://`, and a whole SSH host without a path. Empty for an address that does not parse: no entry covers it.
 */
function comparable(text: string): string {
  const host = /^(?:ssh:\/\/)?([\w.+-]+@[^/:]+(?::\d+)?)[:/]?$/iu.exec(text.trim())?.[1];
  if (host) return `ssh://${host.toLowerCase().replace(/:22$/u, '')}`;
  const { url } = parseRepositoryUrl(text);
  if (!url) return '';
  const { scheme, user, path } = url;
  const place = `${url.host}${url.port === undefined ? '' : `:${url.port}`}/${path.replace(/^\/+/u, '')}`;
  const tidy = place.replace(/\/+$/u, '').replace(/\.git$/u, '');
  if (scheme === 'oci') return tidy;
  return `${scheme}://${scheme === 'ssh' && user !== '' ? `${user}@` : ''}${tidy}`;
}

const isSame = (url: string, requested: string): boolean => url !== '' && url === requested;

const covers = (prefix: string, url: string): boolean =>
  prefix !== '' && (url === prefix || url.startsWith(`${prefix}/`));

function withoutAddress({
  kind: _kind,
  url: _url,
  project: _project,
  title: _title,
  ...credentials
}: StoredCredentials): RepositoryCredentials {
  return credentials;
}
