/** What a repository's names point at, as `git ls-remote --symref` lists it. */
export interface RefList {
  /** Full name (`refs/heads/main`) → commit; an annotated tag's commit, not the tag object. */
  readonly refs: ReadonlyMap<string, string>;
  /** Full name of an annotated tag → the tag object. */
  readonly tagObjects: ReadonlyMap<string, string>;
  /** The ref that HEAD points to, and its commit. */
  readonly head?: { readonly name: string; readonly commit: string };
}

export function parseRefList(output: string): RefList {
  const refs = new Map<string, string>();
  const tagObjects = new Map<string, string>();
  let headName = '';
  let headCommit = '';
  for (const line of output.split('\n')) {
    const [left = '', name = ''] = line.split('\t');
    if (name === '') continue;
    if (left.startsWith('ref: ')) {
      if (name === 'HEAD') headName = left.slice('ref: '.length);
    } else if (name === 'HEAD') headCommit = left;
    else if (name.endsWith('^{}')) {
      const tag = name.slice(0, -3);
      tagObjects.set(tag, refs.get(tag) ?? left);
      refs.set(tag, left);
    } else refs.set(name, left);
  }
  return { refs, tagObjects, ...(headCommit ? { head: { name: headName, commit: headCommit } } : {}) };
}

export const isObjectId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(text);
export const isShortObjectId = (text: string): boolean => /^[0-9a-f]{7,63}$/u.test(text);

/** The commit that a name resolves to. A branch takes precedence over a tag of the same name, as in Argo CD. */
export function findRef(list: RefList, revision: string): string | undefined {
  if (revision === '' || revision === 'HEAD') return list.head?.commit;
  return list.refs.get(fullName(list, revision) ?? '');
}

/** The full ref name of a revision. */
export const fullName = ({ refs }: RefList, revision: string): string | undefined =>
  ['refs/heads/', 'refs/tags/', 'refs/', '']
    .map((prefix) => `${prefix}${revision}`)
    .find((name) => Boolean(refs.get(name)));

/** The commit whose id begins so, among those that a name points at; undefined for none or several. */
export function findByPrefix({ refs }: RefList, prefix: string): string | undefined {
  const found = new Set<string>();
  for (const commit of refs.values()) if (commit.startsWith(prefix)) found.add(commit);
  return found.size === 1 ? [...found][0] : undefined;
}

const tagPrefix = 'refs/tags/';

export function* tagsOf({ refs }: RefList): Generator<string> {
  for (const name of refs.keys()) if (name.startsWith(tagPrefix)) yield name.slice(tagPrefix.length);
}
