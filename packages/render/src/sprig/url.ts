import { fn } from '../go-template/function.ts';
import { GoError, type GoFunction, GoMap, kindOf } from '../go-template/go-value.ts';
import { formatUrl, type GoUrl, hostnameOf, parseUrl, userText } from './go-url.ts';
import { nilDereference } from './lists.ts';

function parsed(text: string, failure: string): GoUrl {
  try {
    return parseUrl(text);
  } catch (error) {
    throw error instanceof GoError ? new GoError(`${failure}: ${error.message}`) : error;
  }
}

function urlParse(text: string): GoMap {
  const url = parsed(text, 'unable to parse url');
  return new GoMap([
    ['scheme', url.scheme],
    ['host', url.host],
    ['hostname', hostnameOf(url.host)],
    ['path', url.path],
    ['query', url.query],
    ['opaque', url.opaque],
    ['fragment', url.fragment],
    ['userinfo', userText(url.user)],
  ]);
}

function urlJoin(parts: GoMap): string {
  const part = (key: string): string => {
    if (!parts.has(key)) return '';
    const value = parts.get(key);
    if (value === null || value === undefined) return nilDereference();
    if (typeof value === 'string') return value;
    throw new GoError(`unable to parse ${key} key, must be of type string, but ${kindOf(value)} found`);
  };
  const userinfo = part('userinfo');
  const failure = 'unable to parse userinfo in dict';
  return formatUrl({
    scheme: part('scheme'),
    host: part('host'),
    path: part('path'),
    query: part('query'),
    opaque: part('opaque'),
    fragment: part('fragment'),
    rawPath: '',
    forceQuery: false,
    user: userinfo === '' ? undefined : parsed(`proto://${userinfo}@host`, failure).user,
  });
}

export const urlFunctions: Readonly<Record<string, GoFunction>> = {
  urlParse: fn('string', urlParse),
  urlJoin: fn('map', urlJoin),
};
