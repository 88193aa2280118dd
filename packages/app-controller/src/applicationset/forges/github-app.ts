import { createSign } from 'node:crypto';
import { at, numberAt, secretValue, textAt } from '@fairlead/apimachinery';
import type { GeneratorRun } from '../generators/generator.ts';
import { during, GeneratorError } from '../generators/generator-error.ts';
import { ForgeApi, type ForgeReply } from './forge-api.ts';
import { githubApi, githubBase, githubError } from './github.ts';

/** Signs in as a GitHub App, with the key of a Secret of the control plane, and gives the API of its installation. */
export async function githubAppApi(
  secretName: string,
  owner: string,
  api: string | undefined,
  run: Pick<GeneratorRun, 'forges' | 'objects' | 'namespace'>,
  now: () => number = Date.now,
): Promise<ForgeApi> {
  const { forges, objects, namespace } = run;
  const secret = await objects.secret(namespace, secretName);
  if (!secret) throw new GeneratorError(`secrets ${JSON.stringify(secretName)} not found`);
  const field = (name: string): string => (secretValue(secret, name) ?? '').trim();
  const [id, key] = [field('githubAppID'), field('githubAppPrivateKey')];
  if (id === '' || key === '')
    throw new GeneratorError(`Secret ${namespace}/${secretName} needs githubAppID and githubAppPrivateKey`);
  const base = githubBase(api || field('githubAppEnterpriseBaseUrl'));
  const authorization = `Bearer ${appToken(id, key, Math.floor(now() / 1_000))}`;
  const asApp = new ForgeApi({ http: forges, base, authorization });
  const installation = field('githubAppInstallationID') || (await installationOf(asApp, owner));
  const url = `${base}/app/installations/${encodeURIComponent(installation)}/access_tokens`;
  const token = await during('could not get a token of the GitHub App', async () => {
    const answer = await forges.send({ url, method: 'POST', authorization });
    if (answer.status !== 201) throw new GeneratorError(`POST ${url}: ${answer.status}`);
    return textAt(JSON.parse(answer.text), 'token');
  });
  return githubApi(forges, api || field('githubAppEnterpriseBaseUrl'), token);
}

async function installationOf(api: ForgeApi, owner: string): Promise<string> {
  let reply: ForgeReply | undefined;
  for (const kind of ['orgs', 'users']) {
    reply = await api.get(`/${kind}/${encodeURIComponent(owner)}/installation`);
    if (reply.ok && at(reply.json(), 'id') !== undefined) return String(numberAt(reply.json(), 'id'));
  }
  const said = reply ? githubError(reply).message : '';
  throw new GeneratorError(`the GitHub App is not installed for ${owner}: ${said}`);
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of the App itself, good for ten minutes at most. The clocks may differ by a minute. */
function appToken(issuer: string, key: string, now: number): string {
  const text = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded({ iat: now - 60, exp: now + 540, iss: issuer })}`;
  try {
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`;
  } catch {
    throw new GeneratorError('githubAppPrivateKey is not an RSA key in PEM');
  }
}
