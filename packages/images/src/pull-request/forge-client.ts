import { type Json, textAt } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { type HttpSession, type RepositoryCredentials, readBody } from '@fairlead/source';
import { ImagesError } from '../images-error.ts';

type Query = Readonly<Record<string, string | number>>;

export interface ForgeClientOptions {
  readonly http: HttpSession;
  /** Without a slash at its end. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Proxy and TLS settings of the repository. */
  readonly credentials: RepositoryCredentials | undefined;
}

/** The JSON API of a forge. An answer that is not a success is an error with what the forge said. */
export class ForgeClient {
  readonly #options: ForgeClientOptions;

  constructor(options: ForgeClientOptions) {
    this.#options = options;
  }

  get(path: string, query: Query = {}): Promise<Json> {
    return this.send('GET', path, { query });
  }

  /** Returns undefined for 404. */
  async find(path: string): Promise<Json | undefined> {
    const { status, json, url } = await this.#request('GET', path, {});
    if (status === 404) return undefined;
    return succeeded('GET', url, status, json);
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    options: { readonly query?: Query; readonly body?: Json },
  ): Promise<Json> {
    const { status, json, url } = await this.#request(method, path, options);
    return succeeded(method, url, status, json);
  }

  /** Reads pages, numbered from 1, until one says that it is the last. */
  async pages(read: (page: number) => Promise<{ readonly items: readonly Json[]; readonly isLast: boolean }>) {
    const all: Json[] = [];
    for (let page = 1; page <= limits.forgePages; page++) {
      const { items, isLast } = await read(page);
      all.push(...items);
      if (isLast) return all;
    }
    throw new ImagesError(
      'PullRequestRefused',
      `${this.#options.base} lists more than ${limits.forgePages} pages of open pull requests`,
    );
  }

  async #request(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    { query = {}, body }: { readonly query?: Query; readonly body?: Json },
  ): Promise<{ readonly status: number; readonly json: Json; readonly url: string }> {
    const { http, base, headers, credentials } = this.#options;
    const { authorization, ...others } = headers;
    const parameters = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) parameters.set(key, String(value));
    const url = `${base}${path}${parameters.size === 0 ? '' : `?${parameters}`}`;
    const answer = await http.send({
      url,
      method,
      authorization,
      headers: {
        accept: 'application/json',
        ...others,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      deadlineMs: limits.forgeRequestMs,
      credentials,
    });
    const text = (await readBody(answer, limits.forgeAnswerBytes)).toString('utf8');
    return { status: answer.status, json: parsed(text), url: url.replace(/\?.*$/su, '') };
  }
}

function succeeded(method: string, url: string, status: number, json: Json): Json {
  if (status >= 200 && status < 300) return json;
  const said = messageIn(json).replaceAll(/\s+/gu, ' ').slice(0, 300);
  throw new ImagesError('PullRequestRefused', `${method} ${url} returned ${status}${said === '' ? '' : `: ${said}`}`);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** GitHub, Gitea and Azure DevOps: `message`, and details in `errors`; GitLab: `message` or `error`; Bitbucket: `error.message`, `errors[].message`. */
function messageIn(json: Json): string {
  if (typeof json === 'string') return json;
  const own = textAt(json, 'message') || textAt(json, 'error', 'message') || textAt(json, 'error');
  const errors = json !== null && typeof json === 'object' && 'errors' in json ? json['errors'] : [];
  const details = Array.isArray(errors) ? errors.map((error) => textAt(error, 'message')) : [];
  return [own, ...details].filter((text) => text !== '').join(': ');
}
