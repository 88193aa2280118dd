import type { KubeObject } from '@fairlead/apimachinery';

const prefix = 'argocd.argoproj.io/';
const hooks = ['PreSync', 'Sync', 'PostSync', 'SyncFail', 'PreDelete', 'PostDelete', 'Skip'];
const deletePolicies = ['HookSucceeded', 'HookFailed', 'BeforeHookCreation'];
const onOff = ['true', 'false'];

/** The options of a sync, and what each may be set to. */
const syncOptionValues: Readonly<Record<string, readonly string[]>> = {
  Prune: [...onOff, 'confirm'],
  Delete: [...onOff, 'confirm'],
  PruneLast: onOff,
  PrunePropagationPolicy: ['foreground', 'background', 'orphan'],
  Validate: onOff,
  SkipDryRunOnMissingResource: onOff,
  Replace: onOff,
  Force: onOff,
  ServerSideApply: onOff,
  ClientSideApplyMigration: onOff,
  ApplyOutOfSyncOnly: onOff,
  CreateNamespace: onOff,
  RespectIgnoreDifferences: onOff,
  FailOnSharedResource: onOff,
};

const compareOptions = ['IgnoreExtraneous', 'ServerSideDiff', 'IncludeMutationWebhook'];

const words = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** What is wrong with one `Name=value` of a sync, and what would be right; undefined when nothing is. */
export function syncOptionProblem(text: string): string | undefined {
  const [name = '', value = ''] = text.split('=', 2);
  const values = syncOptionValues[name];
  if (!values) return `'${text}' is no sync option: use one of ${Object.keys(syncOptionValues).join(', ')}`;
  return values.includes(value) ? undefined : `'${text}' does not say how: use ${name}=${values.join(` or ${name}=`)}`;
}

/** What an annotation's value does not say in a way that is understood, with the remedy. */
const checks: Readonly<Record<string, (text: string) => readonly (string | undefined)[]>> = {
  hook: (text) =>
    words(text).map((word) =>
      hooks.includes(word) ? undefined : `'${word}' is no hook: use one of ${hooks.join(', ')}`,
    ),
  'hook-delete-policy': (text) =>
    words(text).map((word) =>
      deletePolicies.includes(word) ? undefined : `'${word}' is no policy: use one of ${deletePolicies.join(', ')}`,
    ),
  'sync-wave': (text) => [
    /^[+-]?\d+$/u.test(text)
      ? undefined
      : `'${text}' is no whole number, and wave 0 is taken: write such as "5" or "-1"`,
  ],
  'sync-options': (text) => words(text).map(syncOptionProblem),
  'compare-options': (text) =>
    words(text).map((word) =>
      compareOptions.includes(word.split('=')[0]!)
        ? undefined
        : `'${word}' is no option of a comparison: use one of ${compareOptions.join(', ')}`,
    ),
};

const none: readonly string[] = [];
const known = new WeakMap<KubeObject, readonly string[]>();

/** Annotations of ours on a manifest that do not parse: each with its name, its value and what to write instead. */
export function annotationProblems(object: KubeObject): readonly string[] {
  const { annotations } = object.metadata;
  if (!annotations) return none;
  const found = known.get(object) ?? problemsOf(annotations);
  known.set(object, found);
  return found;
}

function problemsOf(annotations: Readonly<Record<string, string>>): readonly string[] {
  const found: string[] = [];
  for (const [name, value] of Object.entries(annotations)) {
    if (!name.startsWith(prefix)) continue;
    for (const problem of checks[name.slice(prefix.length)]?.(value) ?? []) {
      if (problem) found.push(`metadata.annotations['${name}']: ${problem}`);
    }
  }
  return found;
}
