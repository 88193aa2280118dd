import { type GoUrl, parseRequestUri } from '../../go-url.ts';
import { type Overload, overload, perCharacter } from '../overloads.ts';
import { CelError, List, MapValue, Opaque } from '../values.ts';

type UrlValue = Opaque<GoUrl>;

function toUrl(text: string): UrlValue {
  const url = parseRequestUri(text);
  if (!url)
    throw new CelError(
      `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
    );
  return new Opaque('URL', url, url.text);
}

function hostParts(host: string): { name: string; port: string } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(host);
  return { name: (match?.[1] ?? host).replace(/^\[|\]$/g, ''), port: match?.[2] ?? '' };
}

export const url: Overload[] = [
  overload('url(string): URL', toUrl, perCharacter),
  overload('isURL(string): bool', (text: string) => parseRequestUri(text) !== undefined),
  overload('URL.getScheme(): string', ({ content }: UrlValue) => content.scheme),
  overload('URL.getHost(): string', ({ content }: UrlValue) => content.host),
  overload('URL.getHostname(): string', ({ content }: UrlValue) => hostParts(content.host).name),
  overload('URL.getPort(): string', ({ content }: UrlValue) => hostParts(content.host).port),
  overload('URL.getEscapedPath(): string', ({ content }: UrlValue) => content.escapedPath),
  overload('URL.getQuery(): map<string, list<string>>', ({ content }: UrlValue) =>
    MapValue.of([...content.query].map(([key, values]) => [key, List.of(values)] as const)),
  ),
];
