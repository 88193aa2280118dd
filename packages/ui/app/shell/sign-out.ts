import { client } from '../api/client.ts';

/** Ends the session on the server. The answer is a redirect, perhaps to the identity provider; the page goes to its own sign-in. */
export async function signOut(): Promise<void> {
  await client.send('/auth/logout', { redirect: 'manual' }).catch((error: unknown) => {
    // An opaque redirect has status 0, which is not ok.
    if (!(error instanceof Error) || Reflect.get(error, 'status') !== 0) throw error;
  });
}
