import { ImagesError } from '../images-error.ts';
import { type CredentialReference, dockerConfigField } from './credential-reference.ts';
import { type Login, loginFromDockerConfig, splitLogin } from './docker-config.ts';

/** The sources of credentials. */
export interface CredentialSources {
  /** The decoded data of a Secret; undefined if there is no such Secret. */
  readonly secret:
    | ((namespace: string, name: string) => Promise<Readonly<Record<string, string>> | undefined>)
    | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The output of a script. */
  runScript(path: string): Promise<string>;
}

const failed = (what: string): ImagesError => new ImagesError('InvalidCredentials', what);

export async function fetchCredentials(
  reference: CredentialReference,
  registryUrl: string,
  sources: CredentialSources,
): Promise<Login> {
  switch (reference.type) {
    case 'env': {
      const login = splitLogin(sources.environment[reference.variable] ?? '');
      if (login?.username && login.password) return login;
      throw failed(`the environment variable ${reference.variable} is not user:password`);
    }
    case 'ext': {
      if (!reference.path.startsWith('/')) throw failed(`the script ${reference.path} must be given by its full path`);
      const login = splitLogin((await sources.runScript(reference.path)).trim());
      if (login) return login;
      throw failed(`the script ${reference.path} did not print user:password`);
    }
    default: {
      const { namespace, name } = reference;
      const field = reference.type === 'pullsecret' ? dockerConfigField : reference.field;
      if (!sources.secret) throw failed(`the Secret ${namespace}/${name} cannot be read without a cluster`);
      const data = await sources.secret(namespace, name);
      const text = data?.[field];
      if (text === undefined)
        throw failed(
          data ? `the Secret ${namespace}/${name} has no field ${field}` : `there is no Secret ${namespace}/${name}`,
        );
      if (reference.type === 'pullsecret') return loginFromDockerConfig(registryUrl, text);
      const login = splitLogin(text);
      if (login) return login;
      throw failed(`field ${field} of the Secret ${namespace}/${name} is not user:password`);
    }
  }
}
