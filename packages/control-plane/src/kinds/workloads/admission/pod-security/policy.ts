import { type FieldError, fieldError } from '@fairlead/apimachinery';

export type Level = 'privileged' | 'baseline' | 'restricted';
const levels: readonly Level[] = ['privileged', 'baseline', 'restricted'];

/** A level as of a minor version of Kubernetes, or the latest. */
export interface Standard {
  readonly level: Level;
  readonly version: number | 'latest';
}

export interface Policy {
  readonly enforce: Standard;
  readonly audit: Standard;
  readonly warn: Standard;
}

export const shown = ({ level, version }: Standard): string =>
  `${level}:${version === 'latest' ? version : `v1.${version}`}`;

const prefix = 'pod-security.kubernetes.io/';

/**
 * The policy in the labels of a namespace. An invalid level enforces the strictest and warns about nothing; the warn level is at least the
 * enforced one.
 */
export function policyOf(labels: Record<string, string> | undefined): { policy: Policy; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const read = (mode: string): Standard & { readonly given: boolean } => {
    const [level, version] = [labels?.[prefix + mode], labels?.[`${prefix}${mode}-version`]];
    const named = levels.find((each) => each === level);
    const known = level === undefined || named !== undefined;
    if (!known) errors.push(wrong(mode, level, `must be one of ${levels.join(', ')}`));
    const minor = /^v1\.(\d|[1-9]\d*)$/.exec(version ?? '')?.[1];
    if (version !== undefined && version !== 'latest' && minor === undefined) {
      errors.push(wrong(`${mode}-version`, version, 'must be "latest" or "v1.x"'));
    }
    const fallback = mode === 'enforce' ? 'restricted' : 'privileged';
    return {
      level: level === undefined ? 'privileged' : (named ?? fallback),
      version: minor === undefined ? 'latest' : Number(minor),
      given: level !== undefined && (known || mode !== 'enforce'),
    };
  };
  const [enforce, audit, asked] = [read('enforce'), read('audit'), read('warn')];
  const follows = !asked.given && enforce.given && levels.indexOf(enforce.level) > levels.indexOf(asked.level);
  const version = labels?.[`${prefix}warn-version`] === undefined ? enforce.version : asked.version;
  return { policy: { enforce, audit, warn: follows ? { level: enforce.level, version } : asked }, errors };
}

const wrong = (name: string, value: string | undefined, detail: string): FieldError =>
  fieldError.invalid(`metadata.labels[${prefix}${name}]`, value, detail);

/** Stricter than before, or of another version. */
export const isStricter = (now: Standard, before: Standard): boolean =>
  now.level !== 'privileged' &&
  !(now.version === before.version && levels.indexOf(now.level) <= levels.indexOf(before.level));
