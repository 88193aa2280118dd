import { getOrCreate } from '@fairlead/apimachinery';
import type { RepositoryCredentials } from '../credentials/credentials.ts';
import { SourceError } from '../source-error.ts';
import { credentialsAfterRedirect, isSameAddress, RedirectError } from './redirect.ts';

const maxRedirects = 5;
const maxMoved = 10_000;

interface Ask {
  readonly credentials?: RepositoryCredentials | undefined;
  readonly permitRedirect?: (url: string) => void;
}

/**
 * Follows redirects of a repository, one step at a time. Each step is checked with the permissions of the requesting project, before a
 * request is sent there; results are cached under their final address, so no project gets content that only another may follow to.
 */
export class FollowRedirects {
  /** Addresses by their redirect target: changes of the target are reported for them. */
  readonly #movedTo = new Map<string, Set<string>>();

  async follow<T, A extends Ask>(url: string, ask: A, read: (url: string, ask: A) => Promise<T>): Promise<T> {
    let [at, asked] = [url, ask];
    for (let redirects = 0; ; redirects++) {
      try {
        return await read(at, asked);
      } catch (error) {
        if (!(error instanceof RedirectError)) throw error;
        if (redirects >= maxRedirects) throw new SourceError('RepositoryUnavailable', `${url}: too many redirects`);
        const { target } = error;
        if (!isSameAddress(at, target)) ask.permitRedirect?.(target);
        if (/^https:/iu.test(at) && !/^https:/iu.test(target))
          throw new SourceError('RepositoryUnavailable', `${error.message}, which is not encrypted`);
        asked = { ...asked, credentials: credentialsAfterRedirect(at, target, asked.credentials) };
        at = target;
        this.#remember(url, target);
      }
    }
  }

  /** The addresses that redirect to one, and itself. */
  leadingTo(target: string, keyOf: (url: string) => string): string[] {
    const origins = [...this.#movedTo].filter(([to]) => keyOf(to) === target).flatMap(([, from]) => [...from]);
    return [target, ...origins.map(keyOf)];
  }

  targetsOf(url: string): string[] {
    return [...this.#movedTo].filter(([, from]) => from.has(url)).map(([to]) => to);
  }

  #remember(url: string, target: string): void {
    if (this.#movedTo.size >= maxMoved) this.#movedTo.clear();
    getOrCreate(this.#movedTo, target, () => new Set()).add(url);
  }
}
