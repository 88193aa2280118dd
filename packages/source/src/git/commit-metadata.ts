import { SourceError } from '../source-error.ts';
import type { GitRemote } from './git-remote.ts';
import { type RefReceiver, readRefs } from './list-refs.ts';
import type { Mirror } from './mirror.ts';

/** What a commit says of itself, and the tags that point to it. */
export interface CommitMetadata {
  /** `Name <address>` */
  readonly author: string;
  /** When it was written, in milliseconds since 1970. */
  readonly date: number;
  readonly message: string;
  readonly tags: readonly string[];
}

export async function readCommit(remote: GitRemote, mirror: Mirror, commit: string): Promise<CommitMetadata> {
  const { type, content } = await mirror.object(commit);
  if (type !== 'commit') throw new SourceError('InvalidRevision', `${commit} is a ${type}, not a commit`);
  const tags = new TagsAt(commit);
  try {
    await readRefs(remote, tags);
  } catch (error) {
    throw remote.explain(error);
  }
  return { ...parseCommit(content.toString('utf8')), tags: tags.found.sort() };
}

export function parseCommit(text: string): Omit<CommitMetadata, 'tags'> {
  const end = text.indexOf('\n\n');
  const headers = end < 0 ? text : text.slice(0, end);
  const [, author = '', seconds = '0'] = /^author (.*?) (-?\d+) [+-]\d{4}$/mu.exec(headers) ?? [];
  return { author, date: Number(seconds) * 1000, message: end < 0 ? '' : text.slice(end + 2).trim() };
}

/** Collects the tags of one commit while refs arrive. */
class TagsAt implements RefReceiver {
  readonly prefixes = ['refs/tags/'];
  readonly found: string[] = [];
  readonly #commit: string;

  constructor(commit: string) {
    this.#commit = commit;
  }

  ref(name: string, id: string, peeled = id): void {
    if (peeled === this.#commit && name.startsWith('refs/tags/')) this.found.push(name.slice('refs/tags/'.length));
  }
}
