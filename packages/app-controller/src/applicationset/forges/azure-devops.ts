import { type Json, textAt } from '@fairlead/apimachinery';
import { GeneratorError } from '../generators/generator-error.ts';
import { ForgeApi, type ForgeReply } from './forge-api.ts';
import type { ForgeHttp } from './forge-http.ts';

export function azureApi(http: ForgeHttp, api: string | undefined, organization: string, token: string): ForgeApi {
  const server = (api || 'https://dev.azure.com').replace(/\/+$/u, '');
  return new ForgeApi({
    http,
    base: `${server}/${encodeURIComponent(organization)}`,
    headers: { accept: 'application/json;api-version=7.1' },
    authorization: token === '' ? undefined : `Basic ${Buffer.from(`:${token}`).toString('base64')}`,
  });
}

export const azurePath = (project: string): string => `/${encodeURIComponent(project)}/_apis/git`;

/** An error of the server, whose kind is its type key. */
export class AzureError extends GeneratorError {
  readonly typeKey: string;

  constructor(message: string, typeKey: string) {
    super(message);
    this.typeKey = typeKey;
  }
}

export function azureError(reply: ForgeReply): AzureError {
  if (reply.problem) return new AzureError(reply.problem, '');
  let body: Json = null;
  try {
    body = reply.json();
  } catch {
    // A page for people, such as the one that asks to sign in.
  }
  return new AzureError(
    textAt(body, 'message') || `the server answers with status ${reply.status}`,
    textAt(body, 'typeKey'),
  );
}

export const withoutHeads = (ref: string): string => ref.replace('refs/heads/', '');
