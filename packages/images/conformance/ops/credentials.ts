import { gitCredentialSource } from '../../src/config/write-back.ts';
import { type CredentialReference, parseCredentialReference } from '../../src/credentials/credential-reference.ts';
import { loginFromDockerConfig } from '../../src/credentials/docker-config.ts';
import { EndpointCredentials } from '../../src/credentials/endpoint-credentials.ts';
import { type CredentialSources, fetchCredentials } from '../../src/credentials/fetch-credentials.ts';
import { gitSecretName, readGitSecret } from '../../src/credentials/git-secret.ts';
import type { Input, Ops } from './case.ts';

export function credentialSourcesFrom({ secrets, env = {}, scripts = {} }: Input): CredentialSources {
  return {
    secret:
      secrets === null
        ? undefined
        : async (namespace, name) =>
            secrets?.find((one: Input) => one['namespace'] === namespace && one['name'] === name)?.data,
    environment: env,
    async runScript(path) {
      if (!Object.hasOwn(scripts, path)) throw new Error(`${path}: no such file`);
      return scripts[path];
    },
  };
}

const referenceFrom = ({ type, registry = '', namespace, name, field, env, path }: Input): CredentialReference =>
  type === 'env'
    ? { type, registry, variable: env }
    : type === 'ext'
      ? { type, registry, path }
      : { type, registry, namespace, name, field };

/** A clock that only advances with `advance`. */
const handClock = (start: number) => {
  let now = start;
  return { now: () => now, after: () => () => {}, advance: (ms: number) => (now += ms) };
};

const apiUrl = 'https://registry.example.com';

export const credentialOps: Ops = {
  parse({ ref, require_registry: requireRegistry }) {
    const found = parseCredentialReference(ref, requireRegistry);
    return { ...found, ...(found.type === 'env' ? { env: found.variable } : {}) };
  },
  fetch: async (input) => ({
    ...(await fetchCredentials(referenceFrom(input['source']), input['registry_url'], credentialSourcesFrom(input))),
  }),
  docker_config: ({ registry_url: url, text }) => ({ ...loginFromDockerConfig(url, text) }),
  async endpoint({ endpoint, steps, secrets }) {
    const clock = handClock(1_000_000);
    const environment: Record<string, string> = {};
    const credentials = new EndpointCredentials(
      { apiUrl, credentials: endpoint.credentials, credsExpireMs: endpoint.expires_seconds * 1000 },
      credentialSourcesFrom({ secrets, env: environment }),
      clock,
      endpoint.cached
        ? { login: endpoint.cached, since: clock.now() - (endpoint.cached.age_seconds ?? 0) * 1000 }
        : undefined,
    );
    const results: object[] = [];
    for (const step of steps) {
      clock.advance((step.advance_seconds ?? 0) * 1000);
      Object.assign(environment, step.env ?? {});
      try {
        results.push({ ...(await credentials.login(step.pull_secret ?? undefined)) });
      } catch {
        results.push({ error: true });
      }
    }
    return { steps: results, cached: credentials.kept ?? null };
  },
  list_unauthorized({ endpoint, image_has_pull_secret: own }) {
    const clock = handClock(1_000_000);
    const { username, password, age_seconds: age } = endpoint.cached;
    const credentials = new EndpointCredentials(
      { apiUrl, credentials: endpoint.credentials, credsExpireMs: endpoint.expires_seconds * 1000 },
      credentialSourcesFrom({}),
      clock,
      { login: { username, password }, since: clock.now() - age * 1000 },
    );
    const retry = !own && credentials.refused();
    return { error: true, retry_with_fresh_credentials: retry, cached: credentials.kept ?? null };
  },
  git_source({ ref }) {
    const found = gitCredentialSource(ref);
    return { kind: found.kind, ref: found.kind === 'secret' ? found.ref : null };
  },
  git_secret({ repo, secret_ref: ref, app_namespace: namespace, secrets }) {
    const { namespace: at, name } = gitSecretName(ref, namespace);
    const data = secrets.find((one: Input) => one['namespace'] === at && one['name'] === name)?.data;
    if (!data) throw new Error(`there is no Secret ${at}/${name}`);
    const found = readGitSecret(repo, data, ref);
    if (found.kind === 'ssh')
      return { kind: found.kind, private_key: found.privateKey, ssh_private_key: found.privateKey };
    if (found.kind === 'https') return { ...found };
    return {
      kind: found.kind,
      app_id: found.appId,
      installation_id: found.installationId,
      private_key: found.privateKey,
      base_url: found.baseUrl,
      repo: found.repository,
      tls_cert: found.tlsCert,
      tls_key: found.tlsKey,
      insecure: found.insecure,
      proxy: found.proxy,
    };
  },
};
