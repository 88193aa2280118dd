import type { RepositoryCredentials } from '@fairlead/source';
import { ImagesError } from '../images-error.ts';

/** The credentials of a repository in a Secret named by `git:secret:…`. */
export type GitLogin =
  | { readonly kind: 'https'; readonly username: string; readonly password: string }
  | { readonly kind: 'ssh'; readonly privateKey: string }
  | {
      readonly kind: 'github-app';
      readonly appId: number;
      readonly installationId: number;
      readonly privateKey: string;
      readonly baseUrl: string;
      readonly repository: string;
      readonly tlsCert: string;
      readonly tlsKey: string;
      readonly insecure: boolean;
      readonly proxy: string;
    };

const wrong = (what: string): ImagesError => new ImagesError('InvalidCredentials', what);

/** The Secret that `[namespace/]name` refers to for an Application; one in another namespace is refused. */
export function gitSecretName(ref: string, applicationNamespace: string): { namespace: string; name: string } {
  const slash = ref.indexOf('/');
  const namespace = slash < 0 ? applicationNamespace : ref.slice(0, slash);
  if (namespace !== applicationNamespace) {
    throw new ImagesError(
      'CredentialsForbidden',
      `the Secret ${ref} is not in the Application's namespace ${applicationNamespace}`,
    );
  }
  return { namespace, name: ref.slice(slash + 1) };
}

export function readGitSecret(repository: string, data: Readonly<Record<string, string>>, ref: string): GitLogin {
  const field = (name: string): string => {
    const value = data[name];
    if (value === undefined) throw wrong(`the Secret ${ref} has no field ${name}`);
    return value;
  };
  if (/^(?:ssh:\/\/)|^(?:[\w.+-]+@)[^/:]+:(?!\/\/)/u.test(repository)) {
    return { kind: 'ssh', privateKey: field('sshPrivateKey') };
  }
  if (!/^https?:\/\//u.test(repository)) throw wrong(`${repository} is neither an https nor an ssh repository`);
  if (data['githubAppID'] !== undefined) {
    return {
      kind: 'github-app',
      appId: wholeNumber(field('githubAppID'), 'githubAppID'),
      installationId: wholeNumber(field('githubAppInstallationID'), 'githubAppInstallationID'),
      privateKey: field('githubAppPrivateKey'),
      baseUrl: data['githubAppEnterpriseBaseUrl'] ?? '',
      repository,
      tlsCert: data['tlsClientCertData'] ?? '',
      tlsKey: data['tlsClientCertKey'] ?? '',
      insecure: ['1', 't', 'T', 'true', 'True', 'TRUE'].includes(data['insecure'] ?? ''),
      proxy: data['proxy'] ?? '',
    };
  }
  if (data['username'] === undefined) throw wrong(`the Secret ${ref} has neither username nor githubAppID`);
  return { kind: 'https', username: field('username'), password: field('password') };
}

/** What connects to the repository, from the Secret with this name. */
export function loginCredentials(login: GitLogin, name: string): RepositoryCredentials {
  const source = { name, secret: name };
  if (login.kind === 'https') return { ...source, username: login.username, password: login.password };
  if (login.kind === 'ssh') return { ...source, sshPrivateKey: login.privateKey };
  const { appId, installationId, privateKey, baseUrl, tlsCert, tlsKey, insecure, proxy } = login;
  return {
    ...source,
    identity: { kind: 'github-app', id: String(appId), installation: String(installationId), privateKey, baseUrl },
    ...(tlsCert !== '' && tlsKey !== '' ? { clientCertificate: { cert: tlsCert, key: tlsKey } } : {}),
    ...(insecure ? { insecure } : {}),
    ...(proxy === '' ? {} : { proxy }),
  };
}

function wholeNumber(text: string, name: string): number {
  if (!/^[-+]?\d+$/u.test(text)) throw wrong(`${name} is not a number`);
  return Number(text);
}
