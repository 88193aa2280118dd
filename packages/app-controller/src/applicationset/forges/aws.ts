import { isJsonObject, type Json, type JsonObject, textAt } from '@fairlead/apimachinery';
import type { SendTokenRequest } from '@fairlead/source';
import { assumeRole, ownCredentials } from '../../aws/credentials.ts';
import { sign } from '../../aws/signature.ts';
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
  const send: SendTokenRequest = (request) => http.send(request);
  const sts = { url: endpoint('sts'), region };
  const own = await ownCredentials(send, sts.url, { profile: '', environment });
  const credentials = role === '' ? own : await assumeRole(send, sts, own, role, new Date());
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
