import { type Json, messageOf } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { GeneratorError } from '../generators/generator-error.ts';
import type { ForgeAnswer, ForgeHttp, ForgeTls } from './forge-http.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The API of one forge: its address and how to sign in. */
export interface ForgeApiOptions {
  readonly http: ForgeHttp;
  /** Without a slash at its end. */
  readonly base: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorization?: string | undefined;
  readonly tls?: ForgeTls | undefined;
}

export interface ForgeReply extends ForgeAnswer {
  readonly url: string;
  readonly ok: boolean;
  /** Why there is no answer, if there is none. */
  readonly problem?: string;
  /** The body as JSON; null if it is empty. Throws if it is something else. */
  json(): Json;
}

export class ForgeApi {
  readonly #options: ForgeApiOptions;

  constructor(options: ForgeApiOptions) {
    this.#options = options;
  }

  get(path: string, query: Query = {}): Promise<ForgeReply> {
    return this.getUrl(`${this.#options.base}${path}${queryText(query)}`);
  }

  /** Of an address that the forge itself gave, which must be its own. */
  async getUrl(url: string): Promise<ForgeReply> {
    const { http, base, headers, authorization, tls } = this.#options;
    if (URL.parse(url)?.origin !== URL.parse(base)?.origin)
      throw new GeneratorError(`${base}: the next page is at another address, ${url}`);
    try {
      const answer = await http.send({ url, headers: headers ?? {}, authorization, tls });
      const json = (): Json => parsed(answer.text, url);
      return { ...answer, url, ok: answer.status >= 200 && answer.status < 300, json };
    } catch (error) {
      const problem = `Get ${JSON.stringify(url)}: ${messageOf(error)}`;
      return { status: 0, headers: {}, text: '', url, ok: false, problem, json: () => null };
    }
  }
}

function parsed(text: string, url: string): Json {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GeneratorError(`${url}: the answer is not JSON: ${messageOf(error)}`);
  }
}

/** Keys sorted, as Go's clients send them. */
function queryText(query: Query): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Reads pages until there is no next one. */
export async function allPages<Page>(
  first: Page,
  read: (page: Page) => Promise<{ readonly items: readonly Json[]; readonly next: Page | undefined }>,
): Promise<Json[]> {
  const items: Json[] = [];
  let page: Page | undefined = first;
  for (let count = 0; page !== undefined; count++) {
    if (count >= limits.forgePages) throw new GeneratorError(`a list of the forge has more than ${count} pages`);
    const result: Awaited<ReturnType<typeof read>> = await read(page);
    items.push(...result.items);
    page = result.next;
  }
  return items;
}
