import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@fairlead/apimachinery';
import type { SendTokenRequest } from '@fairlead/source';
import { type AwsCredentials, sign } from './signature.ts';

export interface AwsIdentity {
  /** A profile of the shared files; the environment is used when empty. */
  readonly profile: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The address of the security token service. */
export function stsOf({ environment }: Pick<AwsIdentity, 'environment'>): {
  readonly url: string;
  readonly region: string;
} {
  const region = environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || '';
  const regional = region === '' ? 'https://sts.amazonaws.com' : `https://sts.${region}.amazonaws.com`;
  return { url: environment['AWS_ENDPOINT_URL_STS']?.replace(/\/+$/u, '') || regional, region: region || 'us-east-1' };
}

/** The credentials of this process: of a profile, of variables, or of the web identity of the pod. */
export async function ownCredentials(
  send: SendTokenRequest,
  sts: string,
  identity: AwsIdentity,
): Promise<AwsCredentials> {
  const { environment, profile } = identity;
  if (profile !== '') return profileCredentials(send, sts, identity);
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: session } = environment;
  if (id && secret) return { id, secret, ...(session ? { session } : {}) };
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: role } = environment;
  if (!file || !role)
    throw new Error(
      'no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN',
    );
  return webIdentity(send, sts, file, role);
}

async function profileCredentials(
  send: SendTokenRequest,
  sts: string,
  { environment, profile }: AwsIdentity,
): Promise<AwsCredentials> {
  const folder = join(environment['HOME'] || homedir(), '.aws');
  const settings = {
    ...(await section(environment['AWS_CONFIG_FILE'] || join(folder, 'config'), [`profile ${profile}`, profile])),
    ...(await section(environment['AWS_SHARED_CREDENTIALS_FILE'] || join(folder, 'credentials'), [profile])),
  };
  const { aws_access_key_id: id, aws_secret_access_key: secret, aws_session_token: session } = settings;
  if (id && secret) return { id, secret, ...(session ? { session } : {}) };
  const { web_identity_token_file: file, role_arn: role } = settings;
  if (file && role) return webIdentity(send, sts, file, role);
  throw new Error(
    `the AWS profile ${profile} has neither aws_access_key_id and aws_secret_access_key, nor web_identity_token_file and role_arn`,
  );
}

/** A section of a file of settings; empty if there is no such file or section. */
async function section(file: string, names: readonly string[]): Promise<Partial<Record<string, string>>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
  const settings: Partial<Record<string, string>> = {};
  let isNamed = false;
  for (const line of text.split('\n')) {
    const title = /^\s*\[([^\]]*)\]/u.exec(line)?.[1];
    if (title !== undefined) isNamed = names.includes(title.trim());
    const [, key, value] = /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/u.exec(line) ?? [];
    if (isNamed && key !== undefined && value !== undefined) settings[key] = value;
  }
  return settings;
}

async function webIdentity(send: SendTokenRequest, sts: string, file: string, role: string): Promise<AwsCredentials> {
  const token = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`the web identity token cannot be read: ${messageOf(error)}`);
  });
  const query = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: 'fairlead',
    WebIdentityToken: token.trim(),
  });
  return sessionIn(await send({ url: `${sts}/?${query}`, method: 'GET' }));
}

export async function assumeRole(
  send: SendTokenRequest,
  sts: { readonly url: string; readonly region: string },
  credentials: AwsCredentials,
  role: string,
  now: Date,
): Promise<AwsCredentials> {
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: 'fairlead',
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const url = `${sts.url}/`;
  const signed = sign({ url, service: 'sts', region: sts.region, headers, body, credentials, now });
  return sessionIn(await send({ url, method: 'POST', headers: signed, body }));
}

/** The security token service answers in XML. */
function sessionIn({ status, text }: { readonly status: number; readonly text: string }): AwsCredentials {
  const field = (name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`, 'u').exec(text)?.[1] ?? '';
  if (status >= 300) throw new Error(`AWS STS: ${field('Code') || `status ${status}`}: ${field('Message')}`);
  return { id: field('AccessKeyId'), secret: field('SecretAccessKey'), session: field('SessionToken') };
}
