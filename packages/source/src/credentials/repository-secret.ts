import type { StoredCredentials } from './credentials-for.ts';

const typeLabel = 'argocd.argoproj.io/secret-type';

/** The part of a Secret that is read. */
export interface RepositorySecret {
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  /** In base64. */
  readonly data?: Readonly<Record<string, string>>;
}

/** The credentials in a Secret that is labelled as a repository or as a template of credentials; undefined for any other. */
export function readRepositorySecret({ metadata, data = {} }: RepositorySecret): StoredCredentials | undefined {
  const kind = metadata.labels?.[typeLabel];
  if (kind !== 'repository' && kind !== 'repo-creds') return undefined;
  const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString();
  const url = text('url').trim();
  if (url === '') return undefined;
  const given = <K extends string>(name: K, value: string): { [P in K]?: string } =>
    (value === '' ? {} : { [name]: value }) as { [P in K]?: string };
  const flag = <K extends string>(name: K, ...keys: string[]): { [P in K]?: boolean } =>
    (keys.some((key) => text(key).trim().toLowerCase() === 'true') ? { [name]: true } : {}) as { [P in K]?: boolean };
  const cert = text('tlsClientCertData');
  const key = text('tlsClientCertKey');
  return {
    kind,
    url,
    name: `${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
    ...given('title', text('name').trim()),
    ...given('project', text('project').trim()),
    ...given('username', text('username').trim()),
    ...given('password', text('password').replace(/[\r\n]+$/u, '')),
    ...given('bearerToken', text('bearerToken').trim()),
    ...given('sshPrivateKey', text('sshPrivateKey')),
    ...given('proxy', text('proxy').trim()),
    ...given('noProxy', text('noProxy').trim()),
    ...flag('insecure', 'insecure'),
    ...flag('insecureIgnoreHostKey', 'insecureIgnoreHostKey', 'insecure'),
    ...flag('forceBasicAuth', 'forceHttpBasicAuth'),
    ...flag('plainHttp', 'insecureOCIForceHttp'),
    ...(cert && key ? { clientCertificate: { cert, key } } : {}),
  };
}
