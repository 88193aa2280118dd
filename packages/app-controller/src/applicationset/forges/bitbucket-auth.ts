import type { GeneratorRun } from '../generators/generator.ts';
import { during } from '../generators/generator-error.ts';
import type { BitbucketAuth } from './bitbucket-server.ts';
import { referredSecret } from './secret-ref.ts';

interface SecretRef {
  readonly secretName: string;
  readonly key: string;
}

/** How to sign in to Bitbucket: with a token, with a password, or not at all. */
export async function bitbucketAuth(
  spec: {
    readonly bearerToken?: { readonly tokenRef: SecretRef };
    readonly basicAuth?: { readonly username: string; readonly passwordRef: SecretRef };
  },
  run: GeneratorRun,
): Promise<BitbucketAuth | undefined> {
  const { bearerToken, basicAuth } = spec;
  if (bearerToken) {
    const bearer = await during('error fetching Secret Bearer token', () => referredSecret(bearerToken.tokenRef, run));
    return { bearer };
  }
  if (!basicAuth) return undefined;
  const password = await during('error fetching Secret token', () => referredSecret(basicAuth.passwordRef, run));
  return { basic: [basicAuth.username, password] };
}
