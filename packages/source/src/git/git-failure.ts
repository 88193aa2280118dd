import { authenticates, type RepositoryCredentials } from '../credentials/credentials.ts';
import { SourceError } from '../source-error.ts';
import { GitFailure } from './git-process.ts';
import type { GitUrl } from './git-url.ts';

/** Converts an error of `git` to a SourceError for the owner of the repository or its credentials. The URL in it has no secret. */
export function explainFailure(error: unknown, from: GitUrl, credentials: RepositoryCredentials | undefined): unknown {
  if (!(error instanceof GitFailure)) return error;
  const { stderr } = error;
  const say = (reason: ConstructorParameters<typeof SourceError>[0], text: string): SourceError =>
    new SourceError(reason, `${from.url}: ${text}`);
  if (/REMOTE HOST IDENTIFICATION HAS CHANGED/u.test(stderr)) {
    return say(
      'UnknownHostKey',
      `the SSH host key of ${from.host} is not the one in the known hosts: if the host changed its key, replace it there (${keyscan(from)} prints the new one); otherwise the connection may be intercepted`,
    );
  }
  if (/host key is known for|Host key verification failed/u.test(stderr)) {
    return say(
      'UnknownHostKey',
      `the SSH host key of ${from.host} is not known: compare what \`${keyscan(from)}\` prints with what the host’s owner publishes, and add the line to the known hosts`,
    );
  }
  if (/Load key .*(?:invalid format|error in libcrypto|incorrect passphrase)/u.test(stderr)) {
    return say(
      'AuthenticationFailed',
      'the SSH private key cannot be read: give it in PEM or OpenSSH form, without a passphrase',
    );
  }
  if (isAuthenticationFailure(error)) return say('AuthenticationFailed', refusalText(stderr, credentials));
  if (
    /SSL certificate|certificate verif|certificate problem|unable to get local issuer|SSL: no alternative/iu.test(
      stderr,
    )
  ) {
    return say('CertificateRefused', `${error.message}: store the certificate of its authority for ${from.host}`);
  }
  if (
    /not found(?:$|\n|\.)|returned error: 404|does not appear to be a git repository|does not exist$/imu.test(stderr)
  ) {
    return say('RepositoryNotFound', notFoundText(from, error.message));
  }
  if (isRedirect(error))
    return say('RepositoryUnavailable', 'the server redirects to another address: use that address');
  return say('RepositoryUnavailable', tidy(error.message, from));
}

/** Whether the server requires authentication, or did not accept the credentials. */
export const isAuthenticationFailure = (error: unknown): boolean =>
  error instanceof GitFailure &&
  /Authentication failed for|could not read (?:Username|Password)|returned error: 40[13]|Permission denied \(|invalid credentials|Access denied/iu.test(
    error.stderr,
  );

function refusalText(stderr: string, credentials: RepositoryCredentials | undefined): string {
  if (!authenticates(credentials))
    return 'authentication required: no credentials that this project may use are stored for it';
  const said = /^remote: *(\S.*)$/mu.exec(stderr)?.[1]?.trim();
  const whose =
    credentials?.secret === undefined ? 'the stored credentials' : `the credentials of Secret ${credentials.secret}`;
  return `${whose} were refused${said === undefined ? '' : `: ${said}`}`;
}

const keyscan = ({ host = '', port }: GitUrl): string => `ssh-keyscan${port ? ` -p ${port}` : ''} ${host}`;

const notFoundText = (from: GitUrl, message: string): string =>
  from.transport === 'local' ? message : 'the repository was not found, or the credentials in use may not see it';

const tidy = (message: string, { url }: GitUrl): string =>
  message.replace(`unable to access '${url}/': `, '').replace(`unable to access '${url}': `, '');

/** Whether a failure is caused by the local mirror and not by the server: the mirror is then recreated. */
export const isMirrorDamaged = (error: unknown, mirror: string): boolean =>
  error instanceof GitFailure &&
  (error.stderr.includes(mirror) ||
    /not a git repository|corrupt|bad object|bad tree|inflate|did not send all necessary objects|unresolved delta|shallow file has changed|bad config|index-pack failed|missing (?:blob|tree|commit)|mismatched algorithms|invalid object/iu.test(
      error.stderr,
    ));

/** Whether the server does not support a minimal fetch: one commit by its id, without history or files. */
export const isTooOld = (error: unknown): boolean =>
  error instanceof GitFailure &&
  /unadvertised object|dumb http transport|does not support (?:shallow|filter|--)|shallow capabilities|no such remote ref|Server does not support/iu.test(
    error.stderr,
  );

export const isRedirect = (error: unknown): boolean =>
  error instanceof GitFailure && /returned error: 30[12378]/u.test(error.stderr);

export const isNotThere = (error: unknown): boolean =>
  error instanceof GitFailure && /not our ref|couldn't find remote ref|missing object/iu.test(error.stderr);
