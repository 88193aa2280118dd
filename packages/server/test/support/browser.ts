/** What a browser does with redirects, cookies and forms, without one. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export class Browser {
  /** Cookies by host, then by name; those of a host are sent to all its ports. */
  readonly #cookies = new Map<string, Map<string, { readonly value: string; readonly path: string }>>();

  cookie(url: string, name: string): string | undefined {
    return this.#jar(url).get(name)?.value;
  }

  setCookie(url: string, name: string, value: string): void {
    this.#jar(url).set(name, { value, path: '/' });
  }

  /** One request. */
  async request(url: string, init: RequestInit = {}): Promise<Page> {
    const { pathname } = new URL(url);
    const cookies = [...this.#jar(url)].filter(([, { path }]) => pathname.startsWith(path));
    const headers = new Headers(init.headers);
    if (cookies.length > 0) headers.set('cookie', cookies.map(([name, { value }]) => `${name}=${value}`).join('; '));
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) this.#keep(url, line);
    return { url, status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** Follows redirects up to an address that `stop` accepts, or the last one. */
  async go(url: string, init: RequestInit = {}, stop: (next: string) => boolean = () => false): Promise<Page> {
    let page = await this.request(url, init);
    for (let hops = 0; hops < 20; hops++) {
      const next = page.headers.get('location');
      if (page.status < 300 || page.status >= 400 || next === null) return page;
      const target = new URL(next, page.url).href;
      if (stop(target)) return { ...page, url: target };
      page = await this.request(target);
    }
    throw new Error(`too many redirects: ${page.url}`);
  }

  /** Signs in at the provider and consents, starting at an address that leads there. */
  async signIn(url: string, user: string, stop?: (next: string) => boolean): Promise<Page> {
    let page = await this.go(url, {}, stop);
    for (let forms = 0; forms < 3; forms++) {
      const action = /<form[^>]*action="([^"]+)"/u.exec(page.text)?.[1];
      if (action === undefined || stop?.(page.url)) return page;
      const fields: Record<string, string> = { prompt: page.text.includes('name="login"') ? 'login' : 'consent' };
      if (fields['prompt'] === 'login') Object.assign(fields, { login: user, password: 'any' });
      const post = { method: 'POST', body: new URLSearchParams(fields) };
      page = await this.go(new URL(action, page.url).href, post, stop);
    }
    return page;
  }

  #jar(url: string): Map<string, { readonly value: string; readonly path: string }> {
    const { hostname } = new URL(url);
    const jar = this.#cookies.get(hostname) ?? new Map();
    this.#cookies.set(hostname, jar);
    return jar;
  }

  #keep(url: string, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', ...value] = pair.split('=');
    const path = attributes.find((one) => /^path=/iu.test(one))?.slice(5) ?? '/';
    const isGone =
      value.join('=') === '' ||
      attributes.some(
        (one) => /^max-age=0$/iu.test(one) || (/^expires=/iu.test(one) && Date.parse(one.slice(8)) <= Date.now()),
      );
    if (isGone) this.#jar(url).delete(name);
    else this.#jar(url).set(name, { value: value.join('='), path });
  }
}
