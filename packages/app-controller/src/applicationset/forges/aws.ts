import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isJsonObject, type Json, type JsonObject, textAt } from '@fairlead/apimachinery';
import { GeneratorError } from '../generators/generator-error.ts';
import type { ForgeHttp } from './forge-http.ts';

/** What a service refused, with the type of its exception. */
export class AwsRefusal extends GeneratorError {
  readonly type: string;

  constructor(type: string, message: string) {
    super(`${type}: ${message}`);
    this.type = type;
  }
}

export type AwsCall = (service: 'codecommit' | 'tagging', action: string, body: JsonObject) => Promise<JsonObject>;

export interface AwsOptions {
  /** That of the environment when empty. */
  readonly region: string;
  /** A role to assume; none when empty. */
  readonly role: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface AwsCredentials {
  readonly id: string;
  readonly secret: string;
  readonly session?: string;
}

const targets = {
  codecommit: { prefix: 'CodeCommit_20150413', name: 'codecommit' },
  tagging: { prefix: 'ResourceGroupsTaggingAPI_20170126', name: 'tagging' },
} as const;

/** Calls of AWS, signed with the keys of the environment or of the web identity of the pod, or with those of a role that is assumed. */
export async function awsClient(http: ForgeHttp, { region: asked, role, environment }: AwsOptions): Promise<AwsCall> {
  const region = asked || environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || '';
  if (region === '') throw new GeneratorError('no AWS region: set region in the generator, or AWS_REGION');
  const endpoint = (name: string): string =>
    environment[`AWS_ENDPOINT_URL_${name.toUpperCase()}`] ?? `https://${name}.${region}.amazonaws.com`;
  const own = await ownCredentials(http, endpoint('sts'), environment);
  const credentials = role === '' ? own : await assumeRole(http, endpoint('sts'), region, own, role);
  return async (service, action, body) => {
    const { prefix, name } = targets[service];
    const url = `${endpoint(name)}/`;
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `${prefix}.${action}` };
    const text = JSON.stringify(body);
    const signed = sign({ url, service: name, region, headers, body: text, credentials, now: new Date() });
    return answerOf(await http.send({ url, method: 'POST', headers: signed, body: text }));
  };
}

function answerOf({ status, text }: { readonly status: number; readonly text: string }): JsonObject {
  let body: Json;
  try {
    body = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw new GeneratorError(`AWS answers with status ${status} and no JSON`);
  }
  if (status >= 300) {
    const type = textAt(body, '__type').split('#').at(-1) ?? '';
    throw new AwsRefusal(type || `status ${status}`, textAt(body, 'message') || textAt(body, 'Message'));
  }
  return isJsonObject(body) ? body : {};
}

async function ownCredentials(
  http: ForgeHttp,
  sts: string,
  environment: AwsOptions['environment'],
): Promise<AwsCredentials> {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: session } = environment;
  if (id && secret) return { id, secret, ...(session ? { session } : {}) };
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: role } = environment;
  if (!file || !role)
    throw new GeneratorError(
      'no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN',
    );
  const token = (await readFile(file, 'utf8')).trim();
  const query = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: 'fairlead',
    WebIdentityToken: token,
  });
  return sessionIn(await http.send({ url: `${sts}/?${query}` }));
}

async function assumeRole(
  http: ForgeHttp,
  sts: string,
  region: string,
  credentials: AwsCredentials,
  role: string,
): Promise<AwsCredentials> {
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: 'fairlead',
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const url = `${sts}/`;
  const signed = sign({ url, service: 'sts', region, headers, body, credentials, now: new Date() });
  return sessionIn(await http.send({ url, method: 'POST', headers: signed, body }));
}

/** The security token service answers in XML. */
function sessionIn({ status, text }: { readonly status: number; readonly text: string }): AwsCredentials {
  const field = (name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`, 'u').exec(text)?.[1] ?? '';
  if (status >= 300) throw new AwsRefusal(field('Code') || `status ${status}`, field('Message'));
  return { id: field('AccessKeyId'), secret: field('SecretAccessKey'), session: field('SessionToken') };
}

interface ToSign {
  readonly url: string;
  readonly service: string;
  readonly region: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly credentials: AwsCredentials;
  readonly now: Date;
}

/** The headers of a POST with its signature (version 4). */
export function sign({ url, service, region, headers, body, credentials, now }: ToSign): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/gu, '');
  const date = time.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    host: new URL(url).host,
    'x-amz-date': time,
    ...(credentials.session ? { 'x-amz-security-token': credentials.session } : {}),
  };
  const names = Object.keys(all).sort();
  const canonical = [
    'POST',
    '/',
    '',
    ...names.map((name) => `${name}:${(all[name] ?? '').trim()}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n');
  const scope = `${date}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secret}`,
  );
  const signature = createHmac('sha256', key).update(text).digest('hex');
  const { host: _, ...sent } = all;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
