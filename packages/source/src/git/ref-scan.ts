import { HighestVersion, isVersionRange, versionOf } from '../version-range.ts';

/** The result of resolving a revision. */
export interface ResolvedRef {
  readonly commit: string;
  /** The object of the annotated tag that the revision refers to. */
  readonly tagObject?: string;
}

export const isObjectId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(text);
export const isShortObjectId = (text: string): boolean => /^[0-9a-f]{7,63}$/u.test(text);

const tagPrefix = 'refs/tags/';
/** With more names than this, all branches and tags are requested. */
const maxPrefixes = 200;

/**
 * Resolves revisions while the refs of a repository arrive. It stores only the results, so memory use does
 * not depend on the number of refs.
 *
 * A branch takes precedence over a tag of the same name, as in Argo CD; a name over a range of versions, and that over an abbreviated commit.
 */
export class RefScan {
  readonly #revisions: readonly string[];
  /** The full names that revisions may refer to, and their results. */
  readonly #names = new Map<string, ResolvedRef | undefined>();
  readonly #ranges = new Map<string, { readonly highest: HighestVersion; found?: ResolvedRef }>();
  /** Abbreviated commits, with the matching commits: at most two are stored. */
  readonly #short = new Map<string, Set<string>>();

  constructor(revisions: Iterable<string>) {
    this.#revisions = [...revisions];
    for (const revision of this.#revisions) {
      for (const name of fullNames(revision)) this.#names.set(name, undefined);
      if (isVersionRange(revision)) this.#ranges.set(revision, { highest: new HighestVersion(revision) });
      else if (isShortObjectId(revision)) this.#short.set(revision, new Set());
    }
  }

  /** The required prefixes of ref names. */
  get prefixes(): readonly string[] {
    const all = ['HEAD', 'refs/heads/', 'refs/tags/'];
    const others = [...this.#names.keys()].filter((name) => /^refs\/(?!heads\/|tags\/)/u.test(name));
    if (this.#short.size > 0 || this.#names.size > maxPrefixes) return [...all, ...others.slice(0, maxPrefixes)];
    return [...this.#names.keys(), ...(this.#ranges.size > 0 ? [tagPrefix] : [])];
  }

  /** `peeled` is the commit of an annotated tag. */
  ref(name: string, id: string, peeled?: string): void {
    const resolved: ResolvedRef = peeled === undefined ? { commit: id } : { commit: peeled, tagObject: id };
    if (!isObjectId(resolved.commit)) return;
    if (this.#names.has(name)) this.#names.set(name, resolved);
    if (this.#ranges.size > 0 && name.startsWith(tagPrefix)) {
      const version = versionOf(name.slice(tagPrefix.length));
      if (version) for (const range of this.#ranges.values()) if (range.highest.offer(version)) range.found = resolved;
    }
    for (const [short, commits] of this.#short)
      if (commits.size < 2 && resolved.commit.startsWith(short)) commits.add(resolved.commit);
  }

  /** The result of each revision; undefined for one that does not exist. */
  answers(): ReadonlyMap<string, ResolvedRef | undefined> {
    return new Map(this.#revisions.map((revision) => [revision, this.#answer(revision)]));
  }

  #answer(revision: string): ResolvedRef | undefined {
    for (const name of fullNames(revision)) {
      const found = this.#names.get(name);
      if (found) return found;
    }
    const [commit, other] = this.#short.get(revision) ?? [];
    return this.#ranges.get(revision)?.found ?? (commit !== undefined && other === undefined ? { commit } : undefined);
  }
}

/** The refs that a revision may refer to; the first existing one wins. */
const fullNames = (revision: string): readonly string[] =>
  revision === '' || revision === 'HEAD'
    ? ['HEAD']
    : revision.startsWith('refs/')
      ? [`refs/heads/${revision}`, `refs/tags/${revision}`, revision]
      : [`refs/heads/${revision}`, `refs/tags/${revision}`];
