import { PolicyError, readPolicyLine, trimSpace } from './policy-line.ts';

/** A `p` line: what a subject may do with an object, or may not. */
export interface Permission {
  readonly subject: string;
  readonly resource: string;
  readonly action: string;
  readonly object: string;
  /** Only `allow` and `deny` count. */
  readonly effect: string;
}

/** A `g` line: a user, a group or a role that has a role. */
export interface Grouping {
  readonly member: string;
  readonly role: string;
}

export interface Policy {
  readonly permissions: readonly Permission[];
  readonly groupings: readonly Grouping[];
}

/** Reads a policy text. Throws a PolicyError for the first line that is invalid. */
export function parsePolicy(text: string): Policy {
  const permissions: Permission[] = [];
  const groupings: Grouping[] = [];
  for (const part of text.split('\n')) {
    const line = trimSpace(part);
    if (line === '' || line.startsWith('#')) continue;
    const [kind = '', ...fields] = readPolicyLine(line);
    if (kind === 'p' && fields.length === 5) {
      const [subject = '', resource = '', action = '', object = '', effect = ''] = fields;
      permissions.push({ subject, resource, action, object, effect });
    } else if (kind === 'g' && fields.length === 2) {
      const [member = '', role = ''] = fields;
      groupings.push({ member, role });
    } else if (!otherSections.has(kind)) {
      throw new PolicyError(`invalid RBAC policy: ${line}`);
    }
  }
  return { permissions, groupings };
}

/** Sections of Casbin's model that a line may name; such a line has no effect. */
const otherSections: ReadonlySet<string> = new Set(['r', 'e', 'm']);

export const joinPolicies = (...policies: readonly Policy[]): Policy => ({
  permissions: policies.flatMap(({ permissions }) => permissions),
  groupings: policies.flatMap(({ groupings }) => groupings),
});

/** The policy text in the data of `argocd-rbac-cm`: `policy.csv`, then each `policy.*.csv` in the order of the keys. */
export function policyText(data: Readonly<Record<string, string>>): string {
  const overlays = Object.keys(data)
    .filter((key) => key.startsWith('policy.') && key.endsWith('.csv') && key !== 'policy.csv')
    .sort();
  return [data['policy.csv'] ?? '', ...overlays.map((key) => data[key] ?? '')].join('\n');
}
