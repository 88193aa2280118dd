import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly id: string;
  readonly secret: string;
  readonly session?: string;
}

interface ToSign {
  /** Without a query. */
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly service: string;
  readonly region: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly credentials: AwsCredentials;
  readonly now: Date;
}

/** The headers of a request with its signature (version 4). */
export function sign(request: ToSign): Record<string, string> {
  const { url, method = 'POST', service, region, headers, body, credentials, now } = request;
  const { host, pathname } = new URL(url);
  const time = timeOf(now);
  const all: Record<string, string> = {
    ...headers,
    host,
    'x-amz-date': time,
    ...(credentials.session ? { 'x-amz-security-token': credentials.session } : {}),
  };
  const names = Object.keys(all).sort();
  const lines = names.map((name) => `${name}:${(all[name] ?? '').trim()}`);
  const canonical = [method, pathname, '', ...lines, '', names.join(';'), sha256(body)].join('\n');
  const scope = scopeOf(time, region, service);
  const { host: _host, ...sent } = all;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signatureOf(canonical, time, scope, credentials)}`,
  };
}

interface ToPresign extends Omit<ToSign, 'url' | 'body'> {
  /** `https://host`, without a path. */
  readonly endpoint: string;
  readonly query: Readonly<Record<string, string>>;
  readonly expirySeconds: number;
}

/** A URL whose GET anyone can send, with the given headers, until it expires: the signature is in the query. */
export function presignedUrl(request: ToPresign): string {
  const { endpoint, service, region, headers, query, credentials, now, expirySeconds } = request;
  const time = timeOf(now);
  const scope = scopeOf(time, region, service);
  const all: Record<string, string> = { ...headers, host: new URL(endpoint).host };
  const names = Object.keys(all).sort();
  const parameters: Record<string, string> = {
    ...query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${credentials.id}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(expirySeconds),
    ...(credentials.session ? { 'X-Amz-Security-Token': credentials.session } : {}),
    'X-Amz-SignedHeaders': names.join(';'),
  };
  const text = Object.keys(parameters)
    .sort()
    .map((name) => `${escaped(name)}=${escaped(parameters[name] ?? '')}`)
    .join('&');
  const lines = names.map((name) => `${name}:${all[name]}`);
  const canonical = ['GET', '/', text, ...lines, '', names.join(';'), sha256('')].join('\n');
  return `${endpoint}/?${text}&X-Amz-Signature=${signatureOf(canonical, time, scope, credentials)}`;
}

const timeOf = (now: Date): string => now.toISOString().replaceAll(/[-:]|\.\d+/gu, '');

const scopeOf = (time: string, region: string, service: string): string =>
  `${time.slice(0, 8)}/${region}/${service}/aws4_request`;

function signatureOf(canonical: string, time: string, scope: string, { secret }: AwsCredentials): string {
  const key = scope.split('/').reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`);
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
}

/** All but unreserved characters, as AWS signs them. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/gu, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
