import { type GoUrl, parseRequestUri } from '../../go-url.ts';
import { type Overload, overload, perCharacter } from '../overloads.ts';
import { CelError, List, MapValue, Opaque } from '../values.ts';

const urlOf = (value: Opaque): GoUrl => value.content as GoUrl;

function toUrl(text: string): Opaque {
  const url = parseRequestUri(text);
  if (!url)
    throw new CelError(
      `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
    );
  return new Opaque('URL', url, (other) => (other as GoUrl).text === url.text);
}

function hostParts(host: string): { name: string; port: string } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(host);
  return { name: (match?.[1] ?? host).replace(/^\[|\]$/g, ''), port: match?.[2] ?? '' };
}

export const url: Overload[] = [
  overload('url(string): URL', toUrl, perCharacter),
  overload('isURL(string): bool', (text: string) => parseRequestUri(text) !== undefined, perCharacter),
  overload('URL.getScheme(): string', (value: Opaque) => urlOf(value).scheme),
  overload('URL.getHost(): string', (value: Opaque) => urlOf(value).host),
  overload('URL.getHostname(): string', (value: Opaque) => hostParts(urlOf(value).host).name),
  overload('URL.getPort(): string', (value: Opaque) => hostParts(urlOf(value).host).port),
  overload('URL.getEscapedPath(): string', (value: Opaque) => urlOf(value).escapedPath),
  overload('URL.getQuery(): map<string, list<string>>', (value: Opaque) =>
    MapValue.of([...urlOf(value).query].map(([key, values]) => [key, List.of(values)] as const)),
  ),
];
