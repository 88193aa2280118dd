import { CliError } from '../cli-error.ts';

/** What the controller and the API server put before a reason; those that say which field it is about come with its name. */
const stages: readonly (readonly [stage: RegExp, field: string])[] = [
  [/^application destination spec for \S+ is invalid: /u, 'destination'],
  [/^application spec for \S+ is invalid: /u, ''],
  [/^InvalidSpecError: /u, ''],
  [/^Failed to load target state: /u, 'source'],
  [/^failed to generate manifest for source \d+ of \d+: /u, 'source'],
  [/^Unable to generate manifests in .*?: /u, 'source'],
  [/^repository not accessible: repositories not accessible: /u, 'source'],
  [/^rpc error: code = \w+ desc = /u, ''],
];

/** An Application that was not written because it cannot work: the field and the reason. */
export function verificationError(message: string, cause: unknown): CliError {
  let rest = message;
  let about = '';
  for (let found = true; found; ) {
    const stage = stages.find(([pattern]) => pattern.test(rest));
    found = stage !== undefined;
    if (!stage) break;
    rest = rest.replace(stage[0], '');
    about = stage[1] || about;
  }
  return new CliError(`${about === '' ? '' : `${about}: `}${rest}. --no-verify skips this check`, { cause });
}
