import { createHash, createHmac } from 'node:crypto';
import type { HttpRequest } from '../http/http-message.ts';

export interface AwsCredentials {
  readonly key: string;
  readonly secret: string;
  readonly sessionToken?: string | undefined;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Signs a request by AWS Signature Version 4. The URL has no query. */
export function signedForAws(
  request: HttpRequest,
  credentials: AwsCredentials,
  { region, service, now }: { readonly region: string; readonly service: string; readonly now: number },
): HttpRequest {
  const { host, pathname } = new URL(request.url);
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/gu, '');
  const headers: Record<string, string> = {
    ...Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
    'x-amz-date': time,
    ...(credentials.sessionToken ? { 'x-amz-security-token': credentials.sessionToken } : {}),
  };
  const signed = Object.entries({ ...headers, host }).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('');
  const canonical = [request.method, pathname, '', lines, names, sha256(request.body ?? '')].join('\n');
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const signingKey = [region, service, 'aws4_request'].reduce<Buffer>(
    (key, part) => hmac(key, part),
    hmac(`AWS4${credentials.secret}`, time.slice(0, 8)),
  );
  const signature = hmac(signingKey, text).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.key}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...request, headers: { ...headers, authorization } };
}
